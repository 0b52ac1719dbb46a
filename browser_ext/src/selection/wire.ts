// What the bar in a page and the background say to each other, over a port that only scripts of ours open.
import type { TextAsk } from '../protocol.gen'

export const BAR_PORT = 'bar'
export const PASSAGE_CHARACTERS = 20_000
export const INSTRUCTION_CHARACTERS = 1_000

export type WordingTask = TextAsk['task']
export type Platform = NonNullable<TextAsk['platform']>
export type Style = NonNullable<TextAsk['style']>

/** One task on a passage. `ref` names it in what follows. */
export interface BarAsk extends Pick<TextAsk, 'ref' | 'instruction' | 'style' | 'to' | 'limit'> {
  type: 'ask'
  task: WordingTask
  text: string
  platform: Platform
}

/** `chat`: the passage goes into the box of the panel. */
export type BarOrder = BarAsk | { type: 'cancel'; ref: string } | { type: 'chat'; text: string }

export type BarNews =
  | { type: 'delta'; ref: string; index: number; text: string }
  | { type: 'done'; ref: string; text: string; made_by: string }
  | { type: 'failed'; ref: string; message: string }

const TASKS: Record<WordingTask, true> = { explain: true, rewrite: true, write: true, translate: true, summarise: true }
const PLATFORMS: Record<Platform, true> = {
  mail: true,
  chat: true,
  review: true,
  code: true,
  social: true,
  search: true,
  form: true,
  text: true,
}
const STYLES: Record<Style, true> = {
  shorter: true,
  longer: true,
  professional: true,
  friendly: true,
  improved: true,
  simpler: true,
  enthusiastic: true,
  conversational: true,
  custom: true,
}
const REF = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/

/**
 * Return an order of a bar, or null for anything else. A bar shares its process with the page: a frame that the server
 * refuses would end the connection.
 */
export function orderOf(value: unknown): BarOrder | null {
  const { type, ref, text = '', ...fields } = Object(value) as Partial<Record<string, unknown>>
  if (!isText(text, PASSAGE_CHARACTERS)) return null
  if (type === 'chat') return { type, text }
  if (typeof ref !== 'string' || !REF.test(ref)) return null
  if (type === 'cancel') return { type, ref }
  return type === 'ask' ? askOf(ref, text, fields) : null
}

function askOf(ref: string, text: string, fields: Partial<Record<string, unknown>>): BarAsk | null {
  const { task, platform, instruction = '', style, to, limit } = fields
  if (!isKey(TASKS, task) || !isKey(PLATFORMS, platform) || !isText(instruction, INSTRUCTION_CHARACTERS)) return null
  if (style !== undefined && !isKey(STYLES, style)) return null
  if (to !== undefined && !(typeof to === 'string' && LANGUAGE.test(to))) return null
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) >= 1)) return null
  return {
    type: 'ask',
    ref,
    task,
    text,
    platform,
    ...(instruction && { instruction }),
    ...(style && { style }),
    ...(to && { to }),
    ...(limit !== undefined && { limit: Math.min(Number(limit), PASSAGE_CHARACTERS) }),
  }
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}

function isKey<Name extends string>(names: Record<Name, true>, value: unknown): value is Name {
  return typeof value === 'string' && Object.hasOwn(names, value)
}
