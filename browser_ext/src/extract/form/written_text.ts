// Text whose spaces and lines are content: program code, mails, drawings.
import { BLOCKS, SILENT } from '../blocks/text_of'
import { OWN_LINE } from '../visibility/form_marks'

/** Return the lines of a PRE element, without empty lines around them. */
export function writtenLines(root: Element): string[] {
  const parts: string[] = []
  collect(root, parts, root)
  const lines = parts
    .join('')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
  const [first, last] = [lines.findIndex((line) => line !== ''), lines.findLastIndex((line) => line !== '')]
  return first < 0 ? [] : lines.slice(first, last + 1)
}

/** Numbers of lines beside program code. */
export function areLineNumbers(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.every((line) => /^\s*\d{1,6}\s*$/.test(line))
}

/** A fence that is longer than any in the lines. */
export function fencedLines(lines: readonly string[], language: string): string[] {
  const longest = lines.reduce((most, line) => Math.max(most, /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 2), 2)
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, ...lines, fence]
}

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s?([a-z][a-z0-9+#]{0,19})(?:\s|$)/

/** The language that highlighters name in a class. */
export function languageOf(pre: Element): string {
  const code = pre.querySelector('code')
  return LANGUAGE.exec(code?.className ?? '')?.[1] ?? LANGUAGE.exec(pre.className)?.[1] ?? ''
}

function collect(node: Node, parts: string[], root: Element): void {
  if (node.nodeType === Node.TEXT_NODE) return void parts.push(node.nodeValue ?? '')
  if (node.nodeType !== Node.ELEMENT_NODE) return
  const element = node as Element
  const name = element.tagName.toUpperCase()
  if (SILENT.has(name)) return
  if (name === 'BR') return void parts.push('\n')
  const isOwnLine = element !== root && (BLOCKS.has(name) || element.hasAttribute(OWN_LINE))
  if (isOwnLine && !isAtLineStart(parts)) parts.push('\n')
  element.childNodes.forEach((child) => {
    collect(child, parts, root)
  })
  if (isOwnLine) parts.push(isAtLineStart(parts) && element.textContent !== '' ? '' : '\n')
}

function isAtLineStart(parts: readonly string[]): boolean {
  const last = parts.findLast((part) => part !== '')
  return last === undefined || last.endsWith('\n')
}
