// MathML as one line: without marks, the parts of a fraction or a power would run together.

const SILENT_PARTS = new Set(['ANNOTATION', 'ANNOTATION-XML'])

export function formulaText(element: Element): string {
  const parts = [...element.children].filter((part) => !SILENT_PARTS.has(nameOf(part)))
  if (parts.length === 0) return (element.textContent ?? '').trim()
  const texts = parts.map(formulaText)
  const [first = '', second = '', third = ''] = texts
  switch (nameOf(element)) {
    case 'MSUP':
      return `${grouped(first)}^${grouped(second)}`
    case 'MSUB':
      return `${grouped(first)}_${grouped(second)}`
    case 'MSUBSUP':
      return `${grouped(first)}_${grouped(second)}^${grouped(third)}`
    case 'MFRAC':
      return `${grouped(first)}/${grouped(second)}`
    case 'MSQRT':
      return `√(${texts.join('')})`
    case 'MROOT':
      return `(${first})^(1/${second})`
    case 'MTD':
      return `${texts.join('')} `
    case 'MTR':
      return `${texts.join('').trim()}; `
    default:
      return texts.join('')
  }
}

function grouped(text: string): string {
  return Array.from(text).length > 1 && !/^[\p{L}]+$|^[\p{N}.,]+$/u.test(text) ? `(${text})` : text
}

function nameOf(element: Element): string {
  return (element.getAttribute('is') ?? element.localName).toUpperCase()
}
