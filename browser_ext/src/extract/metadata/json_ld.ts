// The JSON-LD of a page. Small faults that search engines forgive are mended.
import { jsonrepair } from 'jsonrepair'
import { asList } from './item'

const MOST_SCRIPTS = 50
/** For all scripts of a page together. */
const ALL_CHARACTERS = 1_000_000
/** For all scripts of a page together: mending takes the square of the length at worst (2026-11: 0.3 s for this). */
const MENDED_CHARACTERS = 30_000
const MOST_NODES = 5_000
const DEEPEST = 12
const WRAPPINGS = /^(?:\uFEFF|\s|<!--|-->|(?:\/\*|\/\/)?\s*(?:<!\[CDATA\[|\]\]>)\s*(?:\*\/)?|;)+/
const TAIL = /(?:\s|<!--|-->|(?:\/\*|\/\/)?\s*(?:<!\[CDATA\[|\]\]>)\s*(?:\*\/)?|;)$/
const MOST_TAILS = 20
/** What a search for the end of a wrapping looks at: it takes the square of the length. */
const TAIL_CHARACTERS = 100
/** A number as people write it. JSON has no such number, and what mends it would cut it off. */
const BARE_AMOUNT = /("(?:price|lowPrice|highPrice)"\s{0,9}:\s{0,9})(\d[\d.,]{0,20},\d{1,20})(?=\s{0,9}[,}\n])/g

/** The values of all scripts, with references to others of the page replaced by these. */
export function jsonLdOf(page: Document): unknown[] {
  const scripts = [...page.querySelectorAll('script[type*="ld+json" i]')].slice(0, MOST_SCRIPTS)
  const budget = { characters: MENDED_CHARACTERS }
  let characters = ALL_CHARACTERS
  const values = scripts.map((script) => {
    const text = script.textContent ?? ''
    return (characters -= text.length) < 0 ? null : parseForgiving(text, budget)
  })
  linkReferences(values)
  return values
}

/** Null for what has no plain meaning. `budget` is how much may still be mended. */
export function parseForgiving(text: string, budget: { characters: number }): unknown {
  const whole = parseStrict(text)
  if (whole !== undefined) return whole
  const bare = withoutWrappings(text)
  const unwrapped = parseStrict(bare)
  if (unwrapped !== undefined) return unwrapped
  // what breaks off could lose the end of a number
  if (!/^(?:[[{]|\/[/*])/.test(bare) || !/(?:[}\]]|\*\/)$/.test(bare.replace(/,$/, ''))) return null
  if (bare.length > budget.characters) return null
  budget.characters -= bare.length
  try {
    return parseStrict(jsonrepair(bare.replace(BARE_AMOUNT, '$1"$2"'))) ?? null
  } catch {
    return null
  }
}

function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutWrappings(text: string): string {
  let bare = text.replace(WRAPPINGS, '')
  for (let cut = 0; cut < MOST_TAILS; cut++) {
    const trimmed = bare.trimEnd()
    const shorter = trimmed.slice(0, -TAIL_CHARACTERS) + trimmed.slice(-TAIL_CHARACTERS).replace(TAIL, '')
    if (shorter === bare) break
    bare = shorter
  }
  return bare
}

/** An object that only names the `@id` of another one is that one. This makes cycles: every walk has a bound. */
function linkReferences(values: unknown[]): void {
  const byId = new Map<string, object>()
  walk(values, (node) => {
    const id = idOf(node)
    if (id !== null && !isReference(node) && !byId.has(id)) byId.set(id, node)
  })
  if (byId.size === 0) return
  walk(values, (node) => {
    for (const [name, value] of Object.entries(node)) {
      if (Array.isArray(value)) node[name] = value.map((entry: unknown) => targetOf(entry, byId))
      else node[name] = targetOf(value, byId)
    }
  })
}

function targetOf(value: unknown, byId: ReadonlyMap<string, object>): unknown {
  if (typeof value !== 'object' || value === null || !isReference(value)) return value
  return byId.get(idOf(value) ?? '') ?? value
}

function idOf(node: object): string | null {
  return '@id' in node && typeof node['@id'] === 'string' ? node['@id'] : null
}

function isReference(node: object): boolean {
  return idOf(node) !== null && Object.keys(node).every((name) => name === '@id' || name === '@type')
}

/** Visit the objects of a tree as it was written, outer ones first. */
function walk(values: unknown[], visit: (node: Record<string, unknown>) => void): void {
  let level: unknown[] = values
  let count = 0
  const visited = new Set<object>()
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null || visited.has(value)) continue
      if (count++ > MOST_NODES) return
      visited.add(value)
      if (Array.isArray(value)) next.push(...asList(value))
      else {
        for (const inner of Object.values(value).slice(0, MOST_NODES)) next.push(inner)
        visit(value as Record<string, unknown>)
      }
    }
    level = next
  }
}
