// The offers of the page's own product, one form for all that pages use. If one price does not suffice, Penny's reader
// compares them for a watch.
import { asList, isOfType, textsOf, valuesOf, type Item } from './item'
import { addressKey, addressOf, type Identity } from './own_item'

export interface Offer {
  '@type': 'Offer'
  price?: string
  lowPrice?: string
  priceCurrency?: string
  availability?: string
}

/** An offer, and where it leads. */
interface Located {
  offer: Offer
  urls: string[]
  isUsed: boolean | null
}

const MOST_OFFERS = 20
const MOST_LOCATED = 200
const DEEPEST = 4
/** Offers may lead back to each other. */
const MOST_VISITS = 1_000
/** Digits and separators with a currency sign: no words fit in. */
const PRICE = /^[\p{Sc}\p{L}.]{0,4}\s?\p{Nd}[\p{Nd}.,'’٫٬\s–-]{0,24}\s?[\p{Sc}\p{L}.]{0,4}$/u
const CURRENCY = /^[A-Za-z]{3}$/
/** Where offers of the same product stand. */
const INNER = ['offers', 'hasVariant', 'model', 'makesOffer']
const NOT_THE_PRICE =
  /^(listprice|msrp|srp|strikethroughprice|suggestedretailprice|regularprice|minimumadvertisedprice)$/
/** Weights, volumes and lengths, as words and as codes of UN/CEFACT. */
const MEASURE = /^\s*\d*\s*(kgm?|grm?|mgm|l|ltr|mlt?|clt|m|mtr|cmt|mtk|mtq|m²|m2|onz|oz|lbr|lb|ftk|fot)\s*$/i
const NO_PRICE = /^(deliverychargespecification|paymentchargespecification)$/

/** Empty if the item has no offers. Of variants that have addresses of their own the page's counts alone. */
export function offersOf(item: Item | undefined, identity: Identity, base: string): Offer[] {
  if (!item) return []
  const offers = collectOffers(item, [], base, 0, { visits: MOST_VISITS }).slice(0, MOST_LOCATED)
  const isUnlikeOthers = offers.some(({ isUsed }) => isUsed === false)
  const likely = isUnlikeOthers ? offers.filter(({ isUsed }) => isUsed !== true) : offers
  const own = likely.filter(({ urls }) => urls.some((url) => identity.addresses.has(url)))
  const group = textsOf(item, 'url')
    .flatMap((address) => addressOf(address, base) ?? [])
    .map(addressKey)
  const isVariant = own.length < likely.length && !group.some((address) => identity.addresses.has(address))
  return (isVariant && own.length > 0 ? own : likely).map(({ offer }) => offer).slice(0, MOST_OFFERS)
}

function collectOffers(
  item: Item,
  outerUrls: string[],
  base: string,
  depth: number,
  budget: { visits: number },
): Located[] {
  if (depth >= DEEPEST || budget.visits <= 0) return []
  return INNER.flatMap((name) => valuesOf(item, name)).flatMap((inner) => {
    if (budget.visits-- <= 0) return []
    const urls = [...urlsOf(inner, base), ...outerUrls]
    const further = collectOffers(inner, urls, base, depth + 1, budget)
    const offer = offerOf(inner)
    // the sum of offers says less than these
    const isSum = isOfType(inner, /^aggregateoffer$/) && further.length > 0
    const isOffer = Object.keys(offer).length > 1 && !isSum
    return [...(isOffer ? [{ offer, urls, isUsed: isUsed(inner) }] : []), ...further]
  })
}

function urlsOf(item: Item, base: string): string[] {
  return textsOf(item, 'url').flatMap((address) => {
    const url = addressOf(address, base)
    return url ? [addressKey(url)] : []
  })
}

function isUsed(offer: Item): boolean | null {
  const [condition] = textsOf(offer, 'itemCondition').map((text) => /(new|used|refurbished|damaged)/i.exec(text)?.[0])
  return condition === undefined ? null : condition.toLowerCase() !== 'new'
}

/** What an offer says itself. A thing may say it without an offer. */
export function offerOf(offer: Item): Offer {
  const specification = textOf(offer, 'price', PRICE) === undefined ? specificationOf(offer) : undefined
  const holders = specification ? [specification, offer] : [offer]
  const text = (name: string, form: RegExp) =>
    holders.map((holder) => textOf(holder, name, form)).find((value) => value !== undefined)
  const facts = {
    price: text('price', PRICE),
    lowPrice: text('lowPrice', PRICE) ?? text('minPrice', PRICE),
    priceCurrency: text('priceCurrency', CURRENCY),
    availability: availabilityOf(offer),
  }
  return { '@type': 'Offer', ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) }
}

function textOf(item: Item, name: string, form: RegExp): string | undefined {
  return textsOf(item, name)
    .map((text) => text.trim())
    .find((text) => form.test(text))
}

/** The specification with the price that everybody pays now, if that is one. */
function specificationOf(offer: Item): Item | undefined {
  const all = valuesOf(offer, 'priceSpecification').filter(isThePrice)
  const steps = [
    (item: Item) => isNow(item),
    (item: Item) => !item.properties.has('validForMemberTier'),
    (item: Item) => !item.properties.has('billingDuration') && !item.properties.has('billingIncrement'),
    (item: Item) => Number(valuesOf(item, 'eligibleQuantity')[0]?.properties.get('minValue') ?? 1) <= 1,
    (item: Item) => !['false', false].some((no) => no === item.properties.get('valueAddedTaxIncluded')),
    (item: Item) => textsOf(item, 'priceType').some((type) => /SalePrice$/i.test(type)),
  ]
  const likely = steps.reduce((items, step) => (items.some(step) ? items.filter(step) : items), all)
  const prices = new Set(likely.flatMap((item) => textsOf(item, 'price')))
  return prices.size === 1 || likely.length === 1 ? likely[0] : undefined
}

function isThePrice(specification: Item): boolean {
  const types = textsOf(specification, 'priceType').map((type) => type.split(/[/#:]/).at(-1)?.toLowerCase() ?? '')
  const units = ['unitCode', 'unitText'].flatMap((name) => textsOf(specification, name))
  const isPerUnit = specification.properties.has('referenceQuantity') || units.some((unit) => MEASURE.test(unit))
  return !types.some((type) => NOT_THE_PRICE.test(type)) && !isOfType(specification, NO_PRICE) && !isPerUnit
}

function isNow(specification: Item): boolean {
  const at = (name: string) => Date.parse(textsOf(specification, name)[0] ?? '')
  return !(at('validThrough') < Date.now() || at('validFrom') > Date.now())
}

/** The last part of schema.org's address for it, in letters alone. */
function availabilityOf(offer: Item): string | undefined {
  const [text] = textsOf(offer, 'availability')
  const word = text
    ?.trim()
    .split(/[/#:]/)
    .at(-1)
    ?.replace(/[^A-Za-z]/g, '')
  if (word && /^[A-Za-z]{2,20}$/.test(word)) return word
  const levels = asList(offer.properties.get('inventoryLevel')).concat(
    valuesOf(offer, 'inventoryLevel').flatMap((level) => textsOf(level, 'value')),
  )
  const level = levels.find((value) => /^\d{1,9}$/.test(String(value)))
  return level === undefined ? undefined : Number(level) > 0 ? 'InStock' : 'OutOfStock'
}
