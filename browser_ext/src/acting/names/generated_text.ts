// The text that styles add before and after the content of an element.

interface Generated {
  before: string
  after: string
}

const NOTHING: Generated = { before: '', after: '' }
/** A page has fewer elements. */
const KINDS_MOST = 1e7

/**
 * Most elements have none, and asking is slow. Elements that are alike in tag and classes, and whose parents are, have
 * none either: this is asked once for them.
 */
export class GeneratedText {
  readonly #kinds = new Map<string, Map<string, number>>()
  readonly #without = new Set<number>()
  #count = 0

  of(element: Element, view: Window | null): Generated {
    const parent = element.parentElement
    const pair = this.#kindOf(element) * KINDS_MOST + (parent ? this.#kindOf(parent) : 0)
    if (!view || this.#without.has(pair)) return NOTHING
    const [before, after] = [view.getComputedStyle(element, '::before'), view.getComputedStyle(element, '::after')]
    if (hasWords(before) || hasWords(after)) return { before: textOfPart(before), after: textOfPart(after) }
    this.#without.add(pair)
    return NOTHING
  }

  /** A number for the tag and the classes: to join their texts takes longer. */
  #kindOf(element: Element): number {
    const classes = element.getAttribute('class') ?? ''
    let kinds = this.#kinds.get(element.localName)
    if (!kinds) this.#kinds.set(element.localName, (kinds = new Map<string, number>()))
    let kind = kinds.get(classes)
    if (kind === undefined) kinds.set(classes, (kind = ++this.#count))
    return kind
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

/** The strings of a value of `content`, or its alternative text after a slash. */
function textIn(content: string): string {
  const alternative = /^(?:[^"/]|"(?:[^"\\]|\\.)*")*\/\s*(.*)$/.exec(content)?.[1] ?? content
  return [...alternative.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1')).join('')
}
