// The tasks of the bar, in their order. Those behind "more" come last.
import type { Key } from '../say'
import type { Style, WordingTask } from './wire'

export interface Task {
  name: Key
  task: WordingTask
  style?: Style
  /** The owner says first what they want. */
  asks?: Key
  /** The words that come go into the field, and are nothing about the passage. */
  isForField?: boolean
}

const ABOUT: Task[] = [
  { name: 'bar_explain', task: 'explain' },
  { name: 'bar_translate', task: 'translate' },
  { name: 'bar_summarise', task: 'summarise' },
]
const REWRITES: Task[] = (
  [
    ['bar_shorter', 'shorter'],
    ['bar_longer', 'longer'],
    ['bar_professional', 'professional'],
    ['bar_friendly', 'friendly'],
    ['bar_improved', 'improved'],
    ['bar_simpler', 'simpler'],
    ['bar_enthusiastic', 'enthusiastic'],
    ['bar_conversational', 'conversational'],
  ] as const
).map(([name, style]) => ({ name, task: 'rewrite', style, isForField: true }))
const CUSTOM: Task = { name: 'bar_custom', task: 'rewrite', style: 'custom', asks: 'bar_what', isForField: true }
export const WRITE: Task = { name: 'bar_write', task: 'write', asks: 'bar_write_what', isForField: true }

/** How many stand on the bar itself. */
const FRONT = 4

interface Tasks {
  front: Task[]
  more: Task[]
}

/** The tasks for a passage in a field, or in what can only be read. */
export function tasksFor(isField: boolean): Tasks {
  if (!isField) return { front: ABOUT, more: [...REWRITES, CUSTOM] }
  return { front: REWRITES.slice(0, FRONT), more: [...REWRITES.slice(FRONT), CUSTOM, ...ABOUT] }
}

/** The language of what is made: the owner's, or their second one for what is in their own. */
export async function languageFor(
  task: Task,
  text: string,
  languageOf: (text: string) => Promise<string>,
): Promise<string | undefined> {
  if (task.isForField) return undefined
  const own = [...navigator.languages, navigator.language, 'en', 'de'].map((code) => code.trim()).filter(Boolean)
  const [first = 'en'] = own
  if (task.task !== 'translate') return first
  const source = mainPart(await languageOf(text))
  return source === mainPart(first) ? (own.find((code) => mainPart(code) !== source) ?? 'en') : first
}

function mainPart(code: string): string {
  return code.toLowerCase().split('-')[0] ?? ''
}
