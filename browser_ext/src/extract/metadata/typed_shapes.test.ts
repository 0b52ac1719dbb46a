// @vitest-environment page
import { afterEach, describe, expect, it } from 'vitest'
import { metadataOf } from './metadata'

const ld = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const offer = { '@type': 'Offer', price: '849.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }
const lever = { '@type': 'Product', name: 'Lever', offers: offer }
const brush = { '@type': 'Product', name: 'Brush', url: '/brush', offers: { ...offer, price: '4.50' } }
const script = (text: string) => `<script>${text}</script>`

/** What a page called Lever tells. */
function factsOf(html: string) {
  const page = new DOMParser().parseFromString(
    `<base href="https://shop.example/lever"><link rel="canonical" href="/lever"><title>Lever | Shop</title>${html}<h1>Lever</h1><p>849,00 €</p>`,
    'text/html',
  )
  const { price, availability } = metadataOf(page) ?? {}
  return [price, availability]
}

describe('typed data', () => {
  afterEach(() => {
    document.head.innerHTML = document.body.innerHTML = ''
  })

  it.each([
    ['a list', ld([lever])],
    ['a graph', ld({ '@graph': [{ '@type': 'WebSite', name: 'Shop' }, lever] })],
    ['a page about it', ld({ '@type': 'WebPage', mainEntity: lever })],
    [
      'a reference into a graph',
      ld({
        '@graph': [
          { ...lever, offers: { '@id': '#offer' } },
          { ...offer, '@id': '#offer' },
        ],
      }),
    ],
    ['names with a prefix', ld({ '@type': 'schema:Product', 'schema:name': 'Lever', 'schema:offers': offer })],
    ['an offer that names its product', ld({ ...offer, itemOffered: { '@type': 'Product', name: 'Lever' } })],
    [
      'offers in an aggregate',
      ld({ ...lever, offers: { '@type': 'AggregateOffer', lowPrice: '1', offers: [offer, { ...offer, price: 899 }] } }),
    ],
    ['a model', ld({ '@type': 'Product', name: 'Lever', model: [{ '@type': 'ProductModel', offers: offer }] })],
    [
      'microdata with words in a link',
      `<div itemscope itemtype="https://schema.org/Product"><a itemprop="name" href="/x">Lever</a>
       <p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">849,00 €</b>
       <link itemprop="availability" href="https://schema.org/InStock"></p></div>`,
    ],
    [
      'RDFa',
      `<div vocab="https://schema.org/" typeof="Product"><span property="name">Lever</span>
       <p property="offers" typeof="Offer"><b property="price" content="849.00">849</b>
       <link property="availability" href="https://schema.org/InStock"></p></div>`,
    ],
    [
      'OpenGraph with name in place of property',
      `<meta name="og:type" content="product"><meta name="product:price:amount" content="849.00">
       <meta name="product:availability" content="instock">`,
    ],
    [
      'the data of Next.js',
      `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
        props: { product: { name: 'Lever', price: { amount: 84_900 }, inStock: true } },
      })}</script>`,
    ],
    ['a state', script('window.__INITIAL_STATE__ = {p: {title: "Lever", price: 849, available: true}};')],
  ])('are read from %s', (_, html) => {
    const [price, availability] = factsOf(html)
    expect([Number(price), availability]).toEqual([849, 'in_stock'])
  })

  it.each([
    ['a trailing comma', (json: string) => json.replace('}}', ',},}')],
    ['a semicolon', (json: string) => `${json};`],
    ['a comment of HTML', (json: string) => `<!-- ${json} -->`],
    ['CDATA', (json: string) => `//<![CDATA[\n${json}\n//]]>`],
    ['a line break in a text', (json: string) => json.replace('Lever', 'Lever\n')],
    ['single quotes', (json: string) => json.replaceAll('"', "'")],
    ['a missing comma', (json: string) => json.replace('"Lever",', '"Lever"\n')],
    ['a byte order mark', (json: string) => `\uFEFF${json}`],
    ['a bare decimal comma', (json: string) => json.replace('"849.00"', '849,00')],
  ])('are read through %s', (_, damage) => {
    const [price, availability] = factsOf(ld(damage(JSON.stringify(lever))))
    expect([Number(price), availability]).toEqual([849, 'in_stock'])
  })

  it.each([
    ['breaks off', ld(JSON.stringify(lever).slice(0, -20))],
    ['is of other things', ld(brush) + ld({ ...brush, name: 'Filter', url: '/filter' })],
    ['is a state of another thing', script('window.s = {title: "Brush", price: 849}')],
    ['is a state with another price than the page', script('window.s = {title: "Lever", price: 799}')],
  ])('are unknown if the data %s', (_, html) => {
    expect(factsOf(html)).toEqual([undefined, undefined])
  })

  it('are those of the thing with the name or the address of the page', () => {
    expect(factsOf(ld([brush, lever]))[0]).toBe('849.00')
    expect(factsOf(ld([brush, { ...lever, name: 'ACME 3000', url: 'https://shop.example/lever' }]))[0]).toBe('849.00')
  })

  it('tell the price that everybody pays now for one', () => {
    const specified = (...priceSpecification: unknown[]) =>
      factsOf(ld({ ...lever, offers: { '@type': 'Offer', priceSpecification } }))[0]
    const price = (price: string, more: object) => ({ '@type': 'UnitPriceSpecification', price, ...more })
    expect(specified(price('999', { priceType: 'https://schema.org/ListPrice' }), price('849', {}))).toBe('849')
    expect(specified(price('8.49', { referenceQuantity: { value: 1, unitCode: 'KGM' } }), price('849', {}))).toBe('849')
    expect(specified(price('799', { validForMemberTier: { name: 'Club' } }), price('849', {}))).toBe('849')
    expect(specified(price('699', { validThrough: '2020-01-01' }), price('849', {}))).toBe('849')
    expect(specified(price('799', {}), price('849', {}))).toBeUndefined()
  })
})
