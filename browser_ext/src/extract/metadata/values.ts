// Prices, currencies and stock in one form, from any notation that has one plain meaning.
import type { Metadata } from '../../protocol.gen'

export type Availability = Metadata['availability'] & string

const AVAILABILITIES: Record<string, Availability> = {
  available: 'in_stock',
  availablefororder: 'in_stock',
  instock: 'in_stock',
  instoreonly: 'in_stock',
  onlineonly: 'in_stock',
  limitedavailability: 'limited',
  lowstock: 'limited',
  oos: 'out_of_stock',
  outofstock: 'out_of_stock',
  soldout: 'out_of_stock',
  unavailable: 'out_of_stock',
  preorder: 'pre_order',
  presale: 'pre_order',
  backorder: 'back_order',
  discontinued: 'discontinued',
}
/** Thousands of these have the third place behind the point. */
const THREE_PLACES = /^(BHD|IQD|JOD|KWD|LYD|OMR|TND)$/
/** Each with the separator of its cents. What fits none is ambiguous. */
const NOTATIONS: [RegExp, '.' | ','][] = [
  [/^\d{1,9}(\.(\d{1,2}|\d{4}))?$/, '.'],
  [/^\d{1,9},\d{1,2}$/, ','],
  [/^\d{1,3}(,\d{3})+(\.\d{1,4})?$/, '.'],
  [/^\d{1,2}(,\d{2})+,\d{3}(\.\d{1,2})?$/, '.'],
  [/^\d{1,3}(\.\d{3})+,\d{1,2}$/, ','],
  [/^\d{1,3}(\.\d{3}){2,}$/, ','],
  [/^\d{1,3}(['’ ]\d{3})+(\.\d{1,2})?$/, '.'],
  [/^\d{1,3}(['’ ]\d{3})+,\d{1,2}$/, ','],
]
/** Signs of currencies, their codes, and their short names: other words may change what a number means. */
const MARK = String.raw`(?:\p{Sc}|(?:[Kk]r|[Zz]ł|K[čc]|[Ff]t|[Ll]ei|лв|руб|грн|[Dd]in|Fr|Rs|Rp)\.?|\p{Lu}{1,3}\p{Sc}?)`
const MARKS = new RegExp(String.raw`^${MARK}\s?|\.?(?:\s?${MARK})?$`, 'gu')
const PRICE_CHARACTERS = 100
/** `129,-` and `1.299.–`: a dash in place of the cents. */
const NO_CENTS = /(?<=\d)([,.])[-–—]{1,2}(?!\s?\d)/

export function firstParsed<Value>(
  texts: readonly (string | null | undefined)[],
  parse: (text: string) => Value | null,
): Value | null {
  for (const text of texts) {
    const value = text === null || text === undefined ? null : parse(text)
    if (value !== null) return value
  }
  return null
}

/** Digits with a point before the cents, from any notation. An ambiguous price is left out. */
export function priceOf(text: string, currency: string | null = null): string | null {
  if (text.length > PRICE_CHARACTERS) return null
  const digits = withPlainDigits(text.normalize('NFKC'))
  const points = digits
    .replace(/٫/g, '.')
    .replace(/٬/g, ',')
    .replace(NO_CENTS, (_, point: string) => `${point}00`)
  const bare = points.replace(/\s+/g, ' ').trim().replace(MARKS, '')
  if (THREE_PLACES.test(currency ?? '') && /^\d{1,9}\.\d{3}$/.test(bare)) return bare
  const [, cents] = NOTATIONS.find(([notation]) => notation.test(bare)) ?? []
  if (cents === undefined) return null
  const price = bare.replace(cents === '.' ? /[,'’ ]/g : /[.'’ ]/g, '').replace(',', '.')
  return /^\d{1,9}(\.\d{1,4})?$/.test(price) ? price : null
}

export function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)))
}

/** The digits of a script follow each other. */
function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}

export function currencyOf(text: string): string | null {
  const code = text.trim().toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : null
}

export function availabilityOf(text: string): Availability | null {
  const word =
    text
      .trim()
      .toLowerCase()
      .split(/[/#:]/)
      .at(-1)
      ?.replace(/[^a-z]/g, '') ?? ''
  return AVAILABILITIES[word] ?? null
}
