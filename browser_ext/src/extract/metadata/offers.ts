// The offers of the page's own product, as written. If one price does not suffice, Penny's reader compares them for a
// watch.
import { textsOf, valuesOf, type Item } from './metadata_items'

export interface Offer {
  '@type': 'Offer'
  price?: string
  lowPrice?: string
  priceCurrency?: string
  availability?: string
}

const MOST_OFFERS = 20
const DEEPEST = 2
/** Digits and separators with a currency sign: no words fit in. */
const PRICE = /^[\p{Sc}\p{L}.]{0,4}\s?\d[\d.,'’\s–-]{0,24}\s?[\p{Sc}\p{L}.]{0,4}$/u

/** Null if the item has no offers. */
export function offersOf(item: Item | undefined): Offer[] | null {
  const offers = item ? collectOffers(item, 0).slice(0, MOST_OFFERS) : []
  return offers.length > 0 ? offers : null
}

function collectOffers(item: Item, depth: number): Offer[] {
  if (depth >= DEEPEST) return []
  return valuesOf(item, 'offers').flatMap((offer) => {
    const facts = offerOf(offer)
    return [...(Object.keys(facts).length > 1 ? [facts] : []), ...collectOffers(offer, depth + 1)]
  })
}

function offerOf(offer: Item): Offer {
  const text = (name: string, form: RegExp) =>
    textsOf(offer, name)
      .map((text) => text.trim())
      .find((text) => form.test(text))
  const facts = {
    price: text('price', PRICE),
    lowPrice: text('lowPrice', PRICE),
    priceCurrency: text('priceCurrency', /^[A-Za-z]{3}$/),
    availability: textsOf(offer, 'availability')[0]
      ?.split('/')
      .at(-1)
      ?.match(/^[A-Za-z]{2,20}$/)?.[0],
  }
  return { '@type': 'Offer', ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) }
}
