// Price, currency and stock of a page, from the first of its sources that tells them.
import type { Metadata } from '../../protocol.gen'
import type { Item } from './item'
import { offerOf, offersOf, type Offer } from './offers'
import type { Identity } from './own_item'
import { stateOffers } from './state_data'
import { availabilityOf, currencyOf, firstParsed, priceOf, type Availability } from './values'

type OpenGraph = (name: string) => string | null

interface PriceFacts {
  price: string | null
  currency: string | null
  availability: Availability | null
  /** As they are written, for where one price does not say it all. */
  offers: Offer[]
}

const PRICES = ['product:sale_price', 'product:price', 'og:price']
/** The best for a buyer first. */
const BY_STOCK: Availability[] = ['in_stock', 'limited', 'pre_order', 'back_order', 'out_of_stock', 'discontinued']
const IS_AWAY = /^(out_of_stock|discontinued)$/
const PRICE_LABEL = /^(price|preis|prix|precio|prezzo|preço|prijs|cena|pris|fiyat)$/i

export function priceFacts(
  page: Document,
  own: readonly Item[],
  kind: Metadata['kind'],
  identity: Identity,
  open: OpenGraph,
): PriceFacts {
  const offers = own.map((item) => offersOf(item, identity, page.baseURI)).find((list) => list.length > 0) ?? []
  const plain = [...(offers.length > 0 ? [bestOf(offers)] : []), ...own.map(offerOf), ...openGraphOffers(page, open)]
  const isShop = (kind ?? 'product') === 'product' && offers.length === 0
  const sources = isShop && !plain.some((offer) => priceIn(offer)) ? [...plain, ...stateOffers(page, identity)] : plain
  const source = sources.find((offer) => Number(priceIn(offer)) > 0) ?? sources.find((offer) => priceIn(offer))
  return {
    price: source ? priceIn(source) : null,
    currency: firstParsed(
      [source, ...sources].map((offer) => offer?.priceCurrency),
      currencyOf,
    ),
    availability:
      stockOf(offers) ??
      firstParsed(
        [...sources.slice(offers.length > 0 ? 1 : 0)].map((offer) => offer.availability),
        availabilityOf,
      ),
    offers,
  }
}

function priceIn({ price, lowPrice, priceCurrency }: Offer): string | null {
  return firstParsed([price, lowPrice], (text) => priceOf(text, priceCurrency))
}

/** The cheapest that can be had, in the currency of the first one. */
function bestOf(offers: readonly Offer[]): Offer {
  const [first = { '@type': 'Offer' as const }] = offers
  const same = offers.filter((offer) => priceIn(offer) !== null && offer.priceCurrency === first.priceCurrency)
  const there = same.filter(({ availability }) => !IS_AWAY.test(availabilityOf(availability ?? '') ?? ''))
  const [best = first] = (there.length > 0 ? there : same).toSorted(
    (one, other) => Number(priceIn(one)) - Number(priceIn(other)),
  )
  return best
}

/** Null if some say nothing and the others nothing good. */
function stockOf(offers: readonly Offer[]): Availability | null {
  const stocks = offers.map(({ availability }) => availabilityOf(availability ?? ''))
  const best = BY_STOCK.find((stock) => stocks.includes(stock)) ?? null
  return best !== null && IS_AWAY.test(best) && stocks.includes(null) ? null : best
}

/** What the head of the page says, and markup outside of any item. */
function openGraphOffers(page: Document, open: OpenGraph): Offer[] {
  const availability = open('product:availability') ?? open('og:availability')
  const loose = (name: string) => page.querySelector(`[itemprop="${name}"][content]:not([itemscope] *)`)
  const twitter = [1, 2, 3, 4].find((place) => PRICE_LABEL.test((open(`twitter:label${place}`) ?? '').trim()))
  return [
    ...PRICES.map((name) => offerWith(open(`${name}:amount`), open(`${name}:currency`), availability)),
    offerWith(
      loose('price')?.getAttribute('content'),
      loose('priceCurrency')?.getAttribute('content'),
      loose('availability')?.getAttribute('content'),
    ),
    offerWith(twitter === undefined ? null : open(`twitter:data${twitter}`)),
  ]
}

function offerWith(...[price, currency, availability]: (string | null | undefined)[]): Offer {
  return {
    '@type': 'Offer',
    ...(price && { price }),
    ...(currency && { priceCurrency: currency }),
    ...(availability && { availability }),
  }
}
