// Texts of the conversation that depend on state.
import type { Ask } from '../state/asks'
import { language, say, type Key } from '../say'

type GrantAsk = Extract<Ask, { type: 'grant.ask' }>

/** The question around the name of what it is about, which is set apart. */
export function questionOf({ capability, engine }: GrantAsk): Key {
  if (capability === 'act') return 'ask_act'
  return engine ? 'ask_search' : 'ask_read'
}

/** The name that the owner knows the asked site by: a search engine's own, else the host. */
export function askedName({ engine, host }: GrantAsk): string {
  return engine || host
}

export function dayOf(time: string, now: Date): string {
  const date = new Date(time)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000)
  if (daysAgo === 0) return say('today')
  if (daysAgo === 1) return say('yesterday')
  return dateOf(time, now, 'long')
}

export function dateOf(time: string, now: Date, weekday?: 'long'): string {
  const date = new Date(time)
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(language(), { weekday, day: 'numeric', month: 'long', year })
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** By language. Browsers take long to make one. */
const clocks = new Map<string, Intl.DateTimeFormat>()

export function clockOf(time: string): string {
  const locale = language()
  const clock = clocks.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  clocks.set(locale, clock)
  return clock.format(new Date(time))
}

/** The hosts among the origin labels of a message. */
export function sitesOf(origin: readonly string[]): string[] {
  return origin.filter((label) => label.includes('.') || label.includes(':') || label === 'attachment')
}
