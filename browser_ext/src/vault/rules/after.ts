// What is never kept by itself, as far as the page itself tells. Each rule stands alone.
import type { PrivateSigns } from '../../extract/private_signs'
import { kindOf, type PageKind } from './kinds'

export interface ReadPage {
  title: string
  /** After its secrets were covered. */
  text: string
  words: number
  /** How many secrets were covered, and how many characters they had. */
  masked: number
  maskedCharacters: number
  signs: PrivateSigns
  /** The owner chose the site, and did not only leave it among all others. */
  isChosen: boolean
}

interface Asked extends ReadPage {
  kind: PageKind
}

const WORDS_LEAST = 40
const MASKED_PART = 0.02
/** Of the weights of private_signs.ts: a street with its postcode, not the name and address of a newsletter. */
const PERSONAL_LEAST = 4
const SIGNS = 2
/** Sites whose frames take the number of a card. */
const PAYMENT =
  /(?:^|\.)(?:stripe\.com|stripe\.network|adyen\.com|braintreegateway\.com|paypal\.com|klarna\.com|mollie\.com|worldpay\.com|cybersource\.com|checkout\.com|squareup\.com|payu\.(?:com|pl)|przelewy24\.pl|datatrans\.(?:ch|com)|sagepay\.com|paytrail\.com|nets\.eu|gocardless\.com)$/
/** The number of a card or an account of which only the end is shown. */
const CUT_NUMBER = /(?:[•*∗●·]{2,}|\bx{3,})[\s-]?\d{3,4}\b/i

export const AFTER: Record<string, (asked: Asked) => boolean> = {
  few_words: ({ words }) => words < WORDS_LEAST,
  secret_field: ({ signs }) => signs.asksSecret,
  payment_frame: hasPaymentFrame,
  personal_form: ({ signs }) => signs.personal >= PERSONAL_LEAST,
  masked: ({ text, words, masked, maskedCharacters }) =>
    maskedCharacters > MASKED_PART * (text.length + maskedCharacters) || masked > MASKED_PART * words,
  cut_number: ({ text, signs }) => !signs.isPublished && CUT_NUMBER.test(text),
  kind: ({ signs, kind, isChosen }) =>
    !signs.isPublished && (isChosen && !isOwners({ signs, kind }) ? kind.ownSigns >= SIGNS : kind.signs >= SIGNS),
  published_kind: ({ signs, kind, isChosen }) =>
    signs.isPublished && (isOwners({ signs, kind }) ? kind.rareSigns >= SIGNS : !isChosen && kind.rareSigns > SIGNS),
  signed_in: ({ signs, kind, isChosen }) =>
    isOwners({ signs, kind }) && !signs.isPublished && (!isChosen || kind.signs >= 1 || signs.isWritten),
  written: ({ signs, isChosen }) => !isChosen && signs.isWritten && !signs.isPublished,
}

/** Return the name of the rule that keeps a page that was read from being kept, or null. */
export function whyNotKept(page: ReadPage, table = AFTER): string | null {
  const question = { ...page, kind: kindOf([page.title, ...page.signs.controls], page.signs.links) }
  return Object.entries(table).find(([, refuses]) => refuses(question))?.[0] ?? null
}

/** Whether the owner sees a field for a password, a card or a code. Such a page is not kept by hand either. */
export function showsSecretField(signs: PrivateSigns): boolean {
  return signs.asksSecret || hasPaymentFrame({ signs })
}

function hasPaymentFrame({ signs }: Pick<Asked, 'signs'>): boolean {
  return signs.frames.some((site) => PAYMENT.test(site))
}

function isOwners({ signs, kind }: Pick<Asked, 'signs' | 'kind'>): boolean {
  return signs.signsOut || kind.isSignedIn
}
