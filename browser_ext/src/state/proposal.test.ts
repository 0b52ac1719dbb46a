import { describe, expect, it } from 'vitest'
import { proposalOf } from './proposal'

const SERVER = 'http://127.0.0.1:8787'
const target = { id: 'a', windowId: 7, tabId: 3 }
const thing = {
  target,
  pageUrl: 'https://shop.example/mug?sid=0123456789abcdef0123456789abcdef#top',
  title: 'A mug',
  isPrivate: false,
}

describe('what the owner chose outside the panel', () => {
  it('is a passage that goes as a page of its own words, without a secret in its address', () => {
    const { page, text } = proposalOf({ ...thing, choice: 'ask_selection', selection: '  Holds 250 ml.  ' }, SERVER)
    expect(page).toEqual({
      url: 'https://shop.example/mug',
      title: 'A mug',
      text: 'Holds 250 ml.',
      links: [],
      extracted_with: 'text',
      truncated: false,
    })
    expect(text).toBeUndefined()
    expect(proposalOf({ ...thing, choice: 'remember', selection: 'x' }, SERVER)).toMatchObject({
      text: 'Remember this.',
      page: { text: 'x' },
    })
    expect(proposalOf({ ...thing, choice: 'ask_selection', selection: 'y'.repeat(60_000) }, SERVER).page).toMatchObject(
      { truncated: true },
    )
  })

  it('is a link, which the owner sees before it is asked about', () => {
    const pointedAt = { choice: 'ask_link' as const, linkUrl: 'https://a.example/b?say=hello#c', linkText: ' Look ' }
    const { text, page } = proposalOf({ ...thing, ...pointedAt }, SERVER)
    expect(text).toBe('What is behind this link?')
    expect(page).toMatchObject({
      url: 'https://shop.example/mug',
      text: 'Look\nhttps://a.example/b?say=hello',
      links: [{ text: 'Look', url: 'https://a.example/b?say=hello' }],
      extracted_with: 'link',
    })
  })

  it('is a link of a page that may not go along, under the name of its own site', () => {
    const pointedAt = { choice: 'ask_link' as const, linkUrl: 'https://a.example/b', pageUrl: `${SERVER}/feed/` }
    expect(proposalOf({ ...thing, ...pointedAt }, SERVER).page?.url).toBe('https://a.example/b')
  })

  it('is the page of the tab that it was chosen in, read once the panel of its window is there', () => {
    expect(proposalOf({ ...thing, choice: 'ask_page' }, SERVER)).toEqual({ ...target, wants: 'page' })
    expect(proposalOf({ ...thing, choice: 'summarise' }, SERVER)).toEqual({ ...target, wants: 'summary' })
  })

  it.each([
    [{ choice: 'ask_selection', selection: 'x', isPrivate: true }, 'private window'],
    [{ choice: 'ask_page', pageUrl: `${SERVER}/chat/` }, 'own pages'],
    [{ choice: 'ask_page', pageUrl: 'about:blank' }, 'browser itself'],
    [{ choice: 'ask_link', linkUrl: 'javascript:alert(1)' }, 'browser itself'],
    [{ choice: 'ask_selection', selection: ' ' }, 'Nothing was selected'],
  ] as const)('is nothing where nothing may go along: %o', (fields, words) => {
    const { problem, page, text, wants } = proposalOf({ ...thing, ...fields }, SERVER)
    expect(problem).toContain(words)
    expect([page, text, wants]).toEqual([undefined, undefined, undefined])
  })
})
