import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { contextFor, FakeBrowser, leftBy, NOTHING } from './fake_browser'
import { readLinks } from './read_links'
import { readMetadata } from './read_metadata'

const metadata = { kind: 'product', price: '129.00', currency: 'EUR' }
const links = [{ text: 'The grind', url: 'https://shop.example/grind' }]
const call = { url: 'https://shop.example/grinder', session: 'owner' } as const

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe.each([
  ['read_metadata', readMetadata, { metadata }],
  ['read_links', readLinks, { links }],
] as const)('%s', (_, lookUp, expectedText) => {
  it('returns what the page says, and leaves nothing open', async () => {
    const fake = new FakeBrowser({ extraction: { url: 'https://shop.example/grinder', ...expectedText } })
    expect(await lookUp(call, contextFor('shop.example').context)).toEqual({
      url: 'https://shop.example/grinder',
      ...expectedText,
    })
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('needs a grant, also where the page leads', async () => {
    const fake = new FakeBrowser({ extraction: { url: 'https://elsewhere.example/', ...expectedText } })
    await expect(lookUp(call, contextFor().context)).rejects.toMatchObject({ code: 'not_granted' })
    await expect(lookUp(call, contextFor('shop.example').context)).rejects.toMatchObject({
      message: 'elsewhere.example',
    })
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('takes an address and a session', async () => {
    new FakeBrowser({ extraction: { url: call.url, ...expectedText } })
    await expect(lookUp({ url: call.url }, contextFor('shop.example').context)).rejects.toMatchObject({
      code: 'internal',
    })
  })
})
