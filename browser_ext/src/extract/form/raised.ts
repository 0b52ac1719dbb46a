// Raised and lowered text. Written into the line as it is, it would run into the number beside it.

const SIGN_OR_LETTERS = /^[\p{L}\p{N}+\-−–.,()*/= ]{1,12}$/u
const NOTE = /^(?:\d{1,3}|[a-z]{1,2}|[*†‡§¶]{1,3})$/iu
const NOTE_IN_BRACKETS = /^[[(].{1,12}[\])]$/u
const CENTS = /^\d{2}(?:\s?\p{Sc})?$/u
const FRACTION_OF_PRICE = /^[.,]\d{1,2}(?:\s?\p{Sc})?$/u
const PRICE_BEFORE = /(?:\p{Sc}|\b(?:EUR|USD|GBP|CHF|CAD|AUD|kr|zł|Kč|Ft|lei|Rs|R))[\s.]?\d[\d.,'’ ]*$/u
const CURRENCY_BEHIND = /^\s?(?:\p{Sc}|(?:EUR|USD|GBP|CHF|kr|zł|Kč|Ft|lei|SEK|NOK|DKK|PLN)(?!\p{L}))/u
const ORDINAL = /^(?:st|nd|rd|th|er|re|ère|e|ème|eme|nde|o|a|os|as|mo|ma|lle|lles|me|mes|le|te|ste|da|do)$/iu
const MARK = /^(?:TM|SM|MC|MD|[®™©℠])$/u
const SLASH = /^\s?[/⁄∕]/u
const SLASH_BEFORE = /[/⁄∕]\s?$/u
const NUMBER_END = /\p{N}$/u
const BASE_END = /[\p{L}\p{N})\]]$/u

export interface Raised {
  text: string
  /** Whether it is a link within the page. */
  isReference: boolean
  /** The text before it in its line, and behind it. */
  before: string
  behind: string
}

/** Return what stands for a SUP element: an exponent, the mark of a note, the cents of a price, half of a fraction. */
export function raisedText({ text, isReference, before, behind }: Raised): string {
  if (text === '' || !BASE_END.test(before)) return isReference ? noteMark(text) : text
  const isNumber = NUMBER_END.test(before)
  if (MARK.test(text) || FRACTION_OF_PRICE.test(text)) return text
  if (isReference || NOTE_IN_BRACKETS.test(text)) return noteMark(text)
  if (
    isNumber &&
    CENTS.test(text) &&
    (PRICE_BEFORE.test(before) || CURRENCY_BEHIND.test(behind) || /\p{Sc}$/u.test(text))
  )
    return `.${text}`
  if (SLASH.test(behind)) return isNumber ? ` ${text}` : text
  if (ORDINAL.test(text)) return text
  if (/^[*†‡§¶]/u.test(text)) return text
  if (!SIGN_OR_LETTERS.test(text) || /\p{L}{3}/u.test(text)) return ` ${text} `
  return /^[+\-−–]?[\p{L}\p{N}.,]+$/u.test(text) ? `^${text}` : `^(${text})`
}

/** Return what stands for a SUB element. Formulas of chemistry are written without a mark. */
export function loweredText(text: string, before: string): string {
  const isMerged = NUMBER_END.test(before) && /^\p{N}/u.test(text)
  if (SLASH_BEFORE.test(before) || !BASE_END.test(before)) return text
  return isMerged || /^\p{L}{2}/u.test(text) ? `_${text}` : text
}

function noteMark(text: string): string {
  if (NOTE_IN_BRACKETS.test(text)) return `[^${text.slice(1, -1)}]`
  return NOTE.test(text) ? `[^${text}]` : ` ${text} `
}
