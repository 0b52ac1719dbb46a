// The text that styles add before and after the content of an element.

interface Generated {
  before: string
  after: string
}

const NOTHING: Generated = { before: '', after: '' }

/**
 * Most elements have none, and asking is slow. Elements that are alike in tag and classes, and whose parents are, have
 * none either: this is asked once for them.
 */
export class GeneratedText {
  readonly #without = new Set<string>()

  of(element: Element, view: Window | null): Generated {
    const parent = element.parentElement
    const key = `${element.localName}.${classesOf(element)}<${parent ? parent.localName + classesOf(parent) : ''}`
    if (!view || this.#without.has(key)) return NOTHING
    const [before, after] = [view.getComputedStyle(element, '::before'), view.getComputedStyle(element, '::after')]
    if (hasWords(before) || hasWords(after)) return { before: textOfPart(before), after: textOfPart(after) }
    this.#without.add(key)
    return NOTHING
  }
}

function hasWords({ content }: CSSStyleDeclaration): boolean {
  return content.includes('"')
}

function textOfPart(style: CSSStyleDeclaration): string {
  if (!hasWords(style) || style.display === 'none') return ''
  const text = textIn(style.content)
  return style.display === 'inline' ? text : ` ${text} `
}

function classesOf(element: Element): string {
  return element.getAttribute('class') ?? ''
}

/** The strings of a value of `content`, or its alternative text after a slash. */
function textIn(content: string): string {
  const alternative = /^(?:[^"/]|"(?:[^"\\]|\\.)*")*\/\s*(.*)$/.exec(content)?.[1] ?? content
  return [...alternative.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1')).join('')
}
