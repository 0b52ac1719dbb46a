// @vitest-environment page
import { render } from 'preact'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { language, say, sayCount, sayWith } from './say'

afterEach(() => vi.unstubAllGlobals())

describe('the words of the catalogue', () => {
  it('have their parts in the places for them', () => {
    expect(say('name_too_long', 64)).toBe('This name is too long: 64 characters are enough.')
  })

  it('have one form for one, and another for any other number', () => {
    expect([1, 2, 0].map((count) => sayCount('entries', count))).toEqual(['1 entry', '2 entries', '0 entries'])
    vi.stubGlobal('navigator', { languages: ['en-US'] })
    expect(sayCount('characters', 12_345)).toBe('12,345 characters')
  })

  it('hold elements', () => {
    render(<p>{sayWith('paired_with', <b>Desk</b>, '127.0.0.1:8787')}</p>, document.body)
    expect(document.body.innerHTML).toBe('<p>This is <b>Desk</b>, paired with 127.0.0.1:8787</p>')
  })

  it('say dates and numbers in their own language, as the owner has it', () => {
    vi.stubGlobal('navigator', { languages: ['fr-FR', 'en-GB', 'en'] })
    expect(language()).toBe('en-GB')
    vi.stubGlobal('navigator', { languages: ['fr-FR'] })
    expect(language()).toBe('en')
    vi.spyOn(fakeBrowser.i18n, 'getMessage').mockReturnValue('de')
    vi.stubGlobal('navigator', { languages: ['en', 'de-AT'] })
    expect(language()).toBe('de-AT')
  })
})
