import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { contextFor, FakeBrowser, leftBy, NOTHING } from './fake_browser'
import { searchAddress, searchWeb } from './search_web'

const template = 'https://search.example/?q={query}&again={query}'
const results = [{ title: 'A', url: 'https://a.example/', snippet: 's' }]

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('search_web', () => {
  it('fills in the question, whatever it holds', () => {
    const address = searchAddress({ query: 'milk & "foam"? $& #1', template })
    const encoded = 'milk%20%26%20%22foam%22%3F%20%24%26%20%231'
    expect(address).toBe(`https://search.example/?q=${encoded}&again=${encoded}`)
  })

  it('needs a place for the question', () => {
    expect(() => searchAddress({ query: 'x', template: 'https://search.example/' })).toThrow(/no place/)
  })

  it('returns the results, and leaves nothing open', async () => {
    const fake = new FakeBrowser({ extraction: { url: 'https://search.example/?q=x&sid=1#top', results } })
    const extracted = { url: 'https://search.example/?q=x', results }
    expect(await searchWeb({ query: 'x', template }, contextFor('search.example').context)).toEqual(extracted)
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it.each([
    ['consent', 'asks_consent'],
    ['human', 'asks_human'],
    ['sign_in', 'needs_sign_in'],
    ['unreadable', 'unreadable_results'],
  ])('tells that the page is a wall: %s', async (verdict, code) => {
    const fake = new FakeBrowser({ extraction: { url: 'https://search.example/', results: [], verdict } })
    const search = searchWeb({ query: 'x', template }, contextFor('search.example').context)
    await expect(search).rejects.toMatchObject({ code })
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('returns no results where the page says that there are none', async () => {
    new FakeBrowser({ extraction: { url: 'https://search.example/', results: [], verdict: 'none' } })
    const answer = await searchWeb({ query: 'x', template }, contextFor('search.example').context)
    expect(answer).toEqual({ url: 'https://search.example/', results: [] })
  })

  it('takes the host for consent of the engine as a wall, and of no other site', async () => {
    const search = async (host: string) => {
      new FakeBrowser({ extraction: { url: `https://${host}/`, results } })
      return searchWeb(
        { query: 'x', template: 'https://www.search.example/?q={query}' },
        contextFor('www.search.example').context,
      )
    }
    await expect(search('consent.search.example')).rejects.toMatchObject({ code: 'asks_consent' })
    await expect(search('consent.other.example')).rejects.toMatchObject({ code: 'redirect_not_granted' })
  })

  it('needs a grant for the search engine like for any other host, also where it leads', async () => {
    new FakeBrowser({ extraction: { url: 'https://consent.example/', results } })
    const { context } = contextFor('search.example')
    await expect(searchWeb({ query: 'x', template }, contextFor().context)).rejects.toMatchObject({
      code: 'not_granted',
    })
    await expect(searchWeb({ query: 'x', template }, context)).rejects.toMatchObject({ message: 'consent.example' })
  })
})
