// Formulas in Markdown: found by the rules of thoughts/markdown/formulas.py, and left as code between TeX's brackets,
// which formulas.ts draws.
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

const CHARACTERS = 1000
const BRACKETED = /^\\\(((?:[^\\\n]|\\[^()\n])+?)\\\)/
const DISPLAYED = /^\\\[((?=.*(?:\\[A-Za-z]|(?<!\\)[\^_={+]))(?:[^\\]|\\[^[\]])+?)\\\]$/s
const IN_SENTENCE = /^\\\[((?:[^\\]|\\[^[\]])+?)\\\](?!\()/s
const DOUBLED = /^\$\$(\s*[^$\s][^$]*?)\$\$/
const DOLLARS = /^\$((?!\s)(?:[^$\\\n]|\\[^\n])+?)(?<!\s)\$(?![\p{L}\p{N}_$])/u
const IN_WORD = /^\$((?:[_^](?:\{[^{}$\n]+\}|\\[A-Za-z]+|[^\s$\\{}]))+|\\[A-Za-z]+)\$(?!\$)/u
const CLOSED = /^\\\[(?:[^\\]|\\[^[\]])+?\\\]/s
const SIGNS = /[\\^_={}<>+]|^[A-Za-z]{1,2}$/

/** A plugin of markdown-it. */
export function formulaRules(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'formula', takeInline)
  md.block.ruler.before('fence', 'formula', takeBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

function takeInline(state: StateInline, silent?: boolean): boolean {
  const formula = formulaAt(state.src.slice(state.pos, Math.min(state.posMax, state.pos + CHARACTERS)))
  if (!formula) return false
  if (!silent) state.push('code_inline', 'code', 0).content = formula.code
  state.pos += formula.length
  return true
}

function formulaAt(text: string): { code: string; length: number } | null {
  if (!text.startsWith('\\') && !text.startsWith('$')) return null
  const [whole, tex] = BRACKETED.exec(text) ?? DOLLARS.exec(text) ?? []
  if (whole && tex && (text.startsWith('\\') || SIGNS.test(tex)))
    return { code: `\\(${tex.trim()}\\)`, length: whole.length }
  const [word, inWord] = IN_WORD.exec(text) ?? []
  if (word) return { code: `\\(${inWord}\\)`, length: word.length }
  const [display, displayed] = DOUBLED.exec(text) ?? IN_SENTENCE.exec(text) ?? []
  if (!display || !displayed || (text.startsWith('\\') && !isFormula(displayed))) return null
  return { code: `\\[${oneLine(displayed)}\\]`, length: display.length }
}

function isFormula(tex: string): boolean {
  const tokens: string[] = tex.match(/\\?./gsu) ?? []
  if (tokens.some((token) => /^(?:[\^_{]|\\[A-Za-z])$/.test(token))) return true
  return tokens.some((token) => token === '=' || token === '+') && !/\p{L}{4}/u.test(tex)
}

function takeBlock(state: StateBlock, start: number, end: number, silent?: boolean): boolean {
  const startsAt = at(state.bMarks, start) + at(state.tShift, start)
  const isIndented = at(state.sCount, start) - state.blkIndent >= 4
  if (isIndented || !/^(\\\[|\$\$)/.test(state.src.slice(startsAt, startsAt + 2))) return false
  const last = lastLine(state, start, end, endOf(state.src, startsAt))
  if (last === null) return false
  const lines = state.getLines(start, last + 1, state.blkIndent, false).trim()
  const doubled = DOUBLED.exec(lines)
  const [, tex] = DISPLAYED.exec(lines) ?? (doubled?.[0].length === lines.length ? doubled : [])
  if (tex && !silent) push(state, oneLine(tex), start, last + 1)
  return tex !== undefined
}

function at(places: number[], line: number): number {
  return places[line] ?? 0
}

/**
 * Where the first closing bracket ends, -1 without one. No formula holds its own brackets: no other one can be right.
 */
function endOf(text: string, startsAt: number): number {
  const part = text.slice(startsAt, startsAt + CHARACTERS)
  const length = part.startsWith('$$') ? part.indexOf('$$', 2) + 2 : (CLOSED.exec(part)?.[0].length ?? 0)
  return length > 2 ? startsAt + length : -1
}

/** The line that a formula's end closes, null if there is more in that line or an empty line before. */
function lastLine(state: StateBlock, start: number, end: number, endsAt: number): number | null {
  for (let line = start; line < end; line++) {
    const isOver = line > start && (state.isEmpty(line) || at(state.sCount, line) < state.blkIndent)
    if (isOver || endsAt < 0) return null
    const endOfLine = at(state.eMarks, line)
    if (endsAt <= endOfLine) return state.src.slice(endsAt, endOfLine).trim() ? null : line
  }
  return null
}

function push(state: StateBlock, tex: string, start: number, end: number): void {
  state.line = end
  const token = state.push('code_block', 'code', 0)
  token.content = `\\[${tex}\\]`
  token.map = [start, end]
}

function oneLine(tex: string): string {
  return tex.split(/\s+/).filter(Boolean).join(' ')
}
