// The sum of money that an act is about, as the page writes it.
import { boundedText } from './bounded_text'

const CURRENCY = String.raw`(?:[$€£¥₩₺₽₹]|zł|Kč|kr\.?|TL|元|円|원|(?:EUR|USD|GBP|CHF|JPY|PLN|SEK|DKK|NOK|CZK|TRY|CNY|KRW|BRL)\b|R\$)`
const NUMBER = String.raw`\d{1,3}(?:[.,'\u00a0\u202f ]\d{3}){0,5}(?:[.,]\d{1,2})?|\d{1,12}(?:[.,]\d{1,2})?`
const AMOUNT = new RegExp(`${CURRENCY}\\s?(?:${NUMBER})|(?:${NUMBER})\\s?${CURRENCY}`, 'gu')
const TEXT_CHARACTERS = 4_000
const AMOUNT_CHARACTERS = 60

/** Return the amount of the button, else the last one of the dialog, else of the form: totals stand at the end. */
export function amountIn(name: string, dialog: string, form: Element | null): string {
  for (const text of [name.slice(0, TEXT_CHARACTERS), dialog, form ? boundedText(form, TEXT_CHARACTERS) : '']) {
    const last = text.match(AMOUNT)?.at(-1)
    if (last !== undefined) return last.trim().slice(0, AMOUNT_CHARACTERS)
  }
  return ''
}
