// An answer while it streams: unfinished Markdown, rendered as the server will render all of it. Only changed blocks
// are rendered again. An ending that may still become a list, a table or a formula is held back.
import markdownIt, { type Token } from 'markdown-it'
import { formulaRules } from './formula_rules'

const HANDLE = String.raw`[kps]\d+(?:\.[lrc]\d+)?`
// A handle of a source: the server puts a link in its place.
const HANDLES = new RegExp(String.raw` ?\[${HANDLE}(?:[ ]*,[ ]*${HANDLE})*\]`, 'g')
// Endings that may be the beginning of something.
const UNDECIDED = [
  /\s*\[(?:[kps]\d*(?:\.[lrc]?\d*)?(?:\s*,\s*)?)*$/, // a handle
  /\n[ \t]*(?:[-=*+_]+|\d+[.)]?|#+|>+|`{1,3}|~{1,3})[ \t]*$/, // an item of a list, a heading, a rule, a fence
  /(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t|:-]*)?$/, // a table before its second row
  /\\[([]?$|\\\((?:(?!\\\))[^\n])*$|(?:^|\n)\\\[(?:(?!\\\]|\n\n)[^]){0,1000}$/, // a formula
]
const OPEN_STAR = /(?:^|[\s(])\*(?=[^\s*])(?:(?![^\s*]\*(?!\*))[^])*$/

const parser = markdownIt('default', { html: false, linkify: false, typographer: false })
  .disable('image')
  .use(formulaRules)
// The server drops links that a model writes, unless a source has the address.
parser.renderer.rules.link_open = parser.renderer.rules.link_close = () => ''

interface Block {
  html: string
  /** Where it begins in the text. */
  line: number
}

/** Return the HTML of each block of an unfinished answer. */
export function blocksOf(text: string): string[] {
  return parseBlocks(text).map(({ html }) => html)
}

function parseBlocks(text: string): Block[] {
  const plain = text.replace(HANDLES, '')
  const blocks: Block[] = []
  let tokens: Token[] = []
  for (const token of parser.parse(isInFence(plain) ? plain : closeMarks(cutUndecided(plain)), {})) {
    tokens.push(token)
    if (token.level > 0 || token.nesting > 0) continue
    blocks.push({ html: parser.renderer.render(tokens, parser.options, {}), line: tokens[0]?.map?.[0] ?? 0 })
    tokens = []
  }
  return blocks
}

function isInFence(text: string): boolean {
  return (text.match(/^[ \t]*(?:```|~~~)/gm) ?? []).length % 2 === 1
}

function cutUndecided(text: string): string {
  const cut = UNDECIDED.reduce((left, ending) => left.replace(ending, ''), text)
  return cut.replace(/\[([^\]\n]*)\]\([^)\s]*$/, '$1')
}

/** Close the emphasis and the code that are open in the last paragraph: their marks must not show. */
function closeMarks(text: string): string {
  const start = text.lastIndexOf('\n\n') + 1
  let last = text.slice(start)
  if (last.split('`').length % 2 === 0) last = last.endsWith('`') ? last.slice(0, -1) : `${last}\``
  last = last.replace(/(^|[\s(])[*_~]+$/, '$1')
  if (OPEN_STAR.test(last)) last = `${last.trimEnd()}*`
  if (last.split('**').length % 2 === 0)
    last = last.endsWith('**') ? last.slice(0, -2) : `${last.trimEnd().replace(/\*$/, '')}**`
  return text.slice(0, start) + last
}

interface How {
  toNodes: (html: string) => Iterable<Node>
  formatBlock: (block: HTMLElement) => void
}

/** A growing text in an element. */
export class StreamedText {
  #blocks: { html: string; nodes: ChildNode[] }[] = []
  /** The beginning of the text that no longer changes, and the number of its blocks. */
  #final = { text: '', blocks: 0 }

  constructor(
    private readonly holder: HTMLElement,
    private readonly how: How,
  ) {
    holder.replaceChildren()
  }

  show(text: string): void {
    if (!text.startsWith(this.#final.text)) this.#final = { text: '', blocks: 0 }
    const { text: before, blocks: finalCount } = this.#final
    const rest = text.slice(before.length)
    const next = parseBlocks(rest)
    const first = this.#blocks.findIndex(
      ({ html }, place) => place >= finalCount && html !== next[place - finalCount]?.html,
    )
    const sameCount = first < 0 ? this.#blocks.length : first
    for (const { nodes } of this.#blocks.splice(sameCount)) for (const node of nodes) node.remove()
    for (const { html } of next.slice(sameCount - finalCount)) this.#append(html)
    this.#finalise(before, rest, next)
  }

  /** The last two blocks may still change. */
  #finalise(before: string, rest: string, next: Block[]): void {
    const last = next.at(-2)
    if (next.length < 3 || !last) return
    const lines = rest.split('\n').slice(0, last.line)
    this.#final = {
      text: before + lines.map((line) => `${line}\n`).join(''),
      blocks: this.#final.blocks + next.length - 2,
    }
  }

  #append(html: string): void {
    const block = document.createElement('div')
    block.append(...this.how.toNodes(html))
    this.how.formatBlock(block)
    const nodes = [...block.childNodes]
    this.holder.append(...nodes)
    this.#blocks.push({ html, nodes })
  }
}
