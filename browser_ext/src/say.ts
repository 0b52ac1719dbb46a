// What the extension says, in the language of the browser. Every word for the owner stands in locales/, under a key; what goes to the
// server, and into its log, is English like the server.
import type { ComponentChild } from 'preact'
import { browser } from 'wxt/browser'
import type catalogue from './locales/en.json'

export type Key = keyof typeof catalogue
/** What comes in one form for one and in another for other numbers: `visits` for the keys `visits_one` and `visits_other`. */
export type Counted = { [K in Key]: K extends `${infer Stem}_one` ? Stem : never }[Key]

/** Stands around the number of an element's place; no catalogue and no message holds it. */
const MARK = '\uE000'

/** `$1`, `$2` … in the text stand for the parts. */
export function say(key: Key, ...parts: (string | number)[]): string {
  return (browser.i18n.getMessage as (key: string, parts: string[]) => string)(key, parts.map(String))
}

/** `$1` is the number itself, `$2` … the parts. */
export function sayCount(stem: Counted, number: number, ...parts: (string | number)[]): string {
  const form = new Intl.PluralRules(language()).select(number) === 'one' ? 'one' : 'other'
  return say(`${stem}_${form}`, number.toLocaleString(language()), ...parts)
}

/** With elements in the places of `$1`, `$2` … */
export function sayWith(key: Key, ...elements: ComponentChild[]): ComponentChild[] {
  const pieces = say(key, ...elements.map((_, place) => `${MARK}${place}${MARK}`)).split(MARK)
  return pieces.map((piece, place) => (place % 2 === 0 ? piece : elements[Number(piece)]))
}

/** The language of the catalogue, in the owner's own variety of it, for dates and numbers. */
export function language(): string {
  const catalogueLanguage = say('language')
  return navigator.languages.find((code) => code.split('-')[0] === catalogueLanguage) ?? catalogueLanguage
}
