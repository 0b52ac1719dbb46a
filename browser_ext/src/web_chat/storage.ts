// What the chat page keeps in the browser: drafts, and messages that the server does not have yet.
import type { Item } from '../conversation/host'
import type { Unsent } from '../state/outbox'

const OUTBOX = 'penny.outbox'

/** An item of localStorage. Without room for a value the one before stays. */
export function localItem<Value>(key: string, empty: Value): Item<Value> {
  const setLast = (value: Value) => {
    if (isEmpty(value)) localStorage.removeItem(key)
    else save(key, JSON.stringify(value))
  }
  return {
    getValue: async () => (readItem(key) as Value | null) ?? empty,
    setValue: async (value) => setLast(value),
    setLast,
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

export function readOutbox(): Unsent[] {
  const entries = readItem(OUTBOX)
  return Array.isArray(entries) ? entries.map(whole) : []
}

/** Photos soon fill the browser's room. The oldest entries that fit are kept; a reload loses the others. */
export async function writeOutbox(entries: Unsent[]): Promise<void> {
  if (entries.length === 0) localStorage.removeItem(OUTBOX)
  for (let count = entries.length; count > 0; count--) if (save(OUTBOX, JSON.stringify(entries.slice(0, count)))) return
}

/** Entries of earlier versions have no state. */
function whole(entry: Partial<Unsent> & { refused?: string }): Unsent {
  const { refused, ...rest } = entry
  const fresh = { created_at: new Date().toISOString(), state: 'queued', strikes: 0 } as const
  const failure = refused === undefined ? {} : ({ state: 'failed', error: refused } as const)
  return { turn_id: '', text: '', ...fresh, ...failure, ...rest }
}

function readItem(key: string): unknown {
  const text = localStorage.getItem(key)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Return whether there was room. */
function save(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
