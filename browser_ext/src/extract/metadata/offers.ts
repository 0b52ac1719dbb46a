// The offers of a page's own product, as it writes them: where one price does not say it all, Penny's reader compares them for a watch.
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
/** Digits with what stands between them and a mark of a currency beside them: no words fit in. */
const PRICE = /^[\p{Sc}\p{L}.]{0,4}\s?\d[\d.,'’\s–-]{0,24}\s?[\p{Sc}\p{L}.]{0,4}$/u

/** Returns null where the item has no offers. */
export function offersOf(item: Item | undefined): Offer[] | null {
  const found = item ? collected(item, 0).slice(0, MOST_OFFERS) : []
  return found.length > 0 ? found : null
}

function collected(item: Item, depth: number): Offer[] {
  if (depth >= DEEPEST) return []
  return valuesOf(item, 'offers').flatMap((offer) => {
    const said = offerOf(offer)
    return [...(Object.keys(said).length > 1 ? [said] : []), ...collected(offer, depth + 1)]
  })
}

function offerOf(offer: Item): Offer {
  const text = (name: string, form: RegExp) => textsOf(offer, name).map((each) => each.trim()).find((each) => form.test(each))
  const said = {
    price: text('price', PRICE),
    lowPrice: text('lowPrice', PRICE),
    priceCurrency: text('priceCurrency', /^[A-Za-z]{3}$/),
    availability: textsOf(offer, 'availability')[0]?.split('/').at(-1)?.match(/^[A-Za-z]{2,20}$/)?.[0],
  }
  return { '@type': 'Offer', ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) }
}
