// Texts for the owner. All of them stand in locales/ under a key, and each program says where it looks them up. Texts
// for the server and its log are in English.
import type { ComponentChild } from 'preact'
import type catalogue from './locales/en.json'

export type Key = keyof typeof catalogue
/** Keys with a singular and a plural form: `visits` for `visits_one` and `visits_other`. */
export type Counted = { [K in Key]: K extends `${infer Stem}_one` ? Stem : never }[Key]

/** Return the text of a key with `$1`, `$2` … replaced, or "". */
export type Catalogue = (key: Key, parts: string[]) => string

let lookUp: Catalogue = () => ''

/** Called once, before anything is said. */
export function speakFrom(catalogue: Catalogue): void {
  lookUp = catalogue
}

/** Marks the place of an element. No catalogue and no message contains it. */
const MARK = '\uE000'

/** `$1`, `$2` … in the text stand for the parts. */
export function say(key: Key, ...parts: (string | number)[]): string {
  return lookUp(key, parts.map(String))
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

/** The language of the catalogue in the owner's regional variant, for dates and numbers. */
export function language(): string {
  const catalogueLanguage = say('language')
  return navigator.languages.find((code) => code.split('-')[0] === catalogueLanguage) ?? catalogueLanguage
}
