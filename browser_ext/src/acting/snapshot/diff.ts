// What changed between two snapshots. A line with controls is the same line as long as its first control is the same;
// other lines are the same if they say the same.
import type { Line } from './line'

/** One stretch of the way from the old lines to the new ones. */
export type Change =
  | { kind: 'same' | 'gone'; count: number }
  | { kind: 'new'; lines: string[] }
  | { kind: 'altered'; lines: string[] }

export const DIFF_CHARACTERS = 2_000
/** Beyond this share the new page says it better. */
const SHARE_MOST = 0.5
/** Below, a share says nothing. */
const LINES_LEAST = 8

export function changesBetween(old: readonly Line[], now: readonly Line[]): Change[] {
  const changes: Change[] = []
  let at = 0
  let from = 0
  for (const [oldIndex, index] of pairs(old, now)) {
    push(changes, { kind: 'gone', count: oldIndex - at })
    push(changes, { kind: 'new', lines: now.slice(from, index).map(({ text }) => text) })
    const text = now[index]?.text ?? ''
    push(changes, text === old[oldIndex]?.text ? { kind: 'same', count: 1 } : { kind: 'altered', lines: [text] })
    at = oldIndex + 1
    from = index + 1
  }
  push(changes, { kind: 'gone', count: old.length - at })
  push(changes, { kind: 'new', lines: now.slice(from).map(({ text }) => text) })
  return changes
}

/** Return the new lines from the old ones. */
export function applyChanges(old: readonly string[], changes: readonly Change[]): string[] {
  let at = 0
  return changes.flatMap((change) => {
    if (change.kind === 'new') return change.lines
    const count = change.kind === 'altered' ? change.lines.length : change.count
    const own = change.kind === 'altered' ? change.lines : change.kind === 'same' ? old.slice(at, at + count) : []
    at += count
    return own
  })
}

/** Return the changes for a model, or null where so much changed that it should read the new page. */
export function diffText(changes: readonly Change[], most = DIFF_CHARACTERS): string | null {
  if (isMostly(changes)) return null
  const lines = changes.flatMap(textsOfChange)
  const texts: string[] = []
  let room = most - 40
  for (const line of lines) {
    room -= line.length + 1
    if (room < 0) break
    texts.push(line)
  }
  const missing = lines.length - texts.length
  return [...texts, ...(missing > 0 ? [`… ${missing} more changes`] : [])].join('\n')
}

function isMostly(changes: readonly Change[]): boolean {
  const count = (kind: Change['kind']): number =>
    changes.reduce((sum, change) => sum + (change.kind === kind ? lengthOf(change) : 0), 0)
  const [same, altered, fresh, gone] = [count('same'), count('altered'), count('new'), count('gone')]
  const all = Math.max(same + altered + fresh, same + altered + gone)
  return all >= LINES_LEAST && altered + Math.max(fresh, gone) > SHARE_MOST * all
}

function lengthOf(change: Change): number {
  return 'lines' in change ? change.lines.length : change.count
}

function textsOfChange(change: Change): string[] {
  if (!('lines' in change))
    return change.kind === 'same' ? [] : [`- ${change.count} ${change.count === 1 ? 'line' : 'lines'}`]
  return change.lines.map((line) => `${change.kind === 'new' ? '+' : '~'} ${line}`)
}

function push(changes: Change[], change: Change): void {
  if (lengthOf(change) === 0) return
  const last = changes.at(-1)
  if (last?.kind !== change.kind) changes.push(change)
  else if ('lines' in last && 'lines' in change) last.lines.push(...change.lines)
  else if ('count' in last && 'count' in change) last.count += change.count
}

// Pairing
// -----------------------------------------------------------------------------------------------------------------

/** Return the indices of lines that are the same line, in the order of both. */
function pairs(old: readonly Line[], now: readonly Line[]): [number, number][] {
  const places = new Map<string, number[]>()
  old.forEach((line, index) => {
    const key = keyOf(line)
    const indices = places.get(key)
    if (indices) indices.push(index)
    else places.set(key, [index])
  })
  for (const indices of places.values()) indices.reverse()
  const candidates: [number, number][] = []
  now.forEach((line, index) => {
    const oldIndex = places.get(keyOf(line))?.pop()
    if (oldIndex !== undefined) candidates.push([oldIndex, index])
  })
  return rising(candidates)
}

function keyOf({ text, refs }: Line): string {
  const [first] = refs
  return first === undefined ? text : `[${first}`
}

/** Return the longest choice of pairs whose first numbers rise, as their second ones do. */
function rising(candidates: readonly [number, number][]): [number, number][] {
  const ends: number[] = [] // for each length the candidate with the least end
  const before: number[] = []
  candidates.forEach(([value], index) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((candidates[ends[middle] ?? 0]?.[0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? (ends[low - 1] ?? -1) : -1
    ends[low] = index
  })
  const chain: [number, number][] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const candidate = candidates[at]
    if (candidate) chain.push(candidate)
  }
  return chain.reverse()
}
