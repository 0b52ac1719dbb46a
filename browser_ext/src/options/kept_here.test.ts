import { beforeEach, describe, expect, it } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { forgetStored, stored } from '../state/stored'
import { keptHere, describeItems } from './kept_here'

beforeEach(() => fakeBrowser.reset())

describe('what is kept in this browser', () => {
  it('is counted from what is stored, and is nothing once everything is removed', async () => {
    await stored.draft.setValue('A draft')
    const before = (await keptHere()).bytes
    await stored.draftAside.setValue('Set aside')
    await stored.draftFiles.setValue([{ name: 'a.txt', mime: 'text/plain', data: 'x'.repeat(5_000) }])
    await stored.draftPassage.setValue({
      url: 'https://a.example/',
      title: 'A',
      text: 'A passage',
      links: [],
      extracted_with: 'text',
      truncated: false,
    })
    await stored.draftQuoted.setValue({
      id: 'q',
      seq: 1,
      device_label: 'Web',
      direction: 'in',
      kind: 'chat',
      text: 'Said',
      html: '',
      created_at: '',
      origin: [],
    })
    await stored.outbox.setValue([
      { turn_id: 'a', text: 'Hello', created_at: '2026-01-01T12:00:00Z', state: 'queued', strikes: 0 },
    ])
    const lines = new Map(describeItems(await keptHere()))
    expect(lines.get('Your draft')).toBe('16 characters')
    expect([lines.get('Files of your draft'), lines.get('What your draft is about or replies to')]).toEqual([
      '1 file',
      '13 characters',
    ])
    expect((await keptHere()).bytes).toBeGreaterThan(before + 5_000)
    expect(lines.get('Not sent yet')).toBe('1 message')
    expect(lines.get('Newest messages')).toBe('none')
    await forgetStored()
    expect((await keptHere()).draftCharacters + (await keptHere()).draftFiles + (await keptHere()).unsent).toBe(0)
  })

  it('says how much it is all together', () => {
    const none = {
      messages: 0,
      unsent: 0,
      draftCharacters: 0,
      draftFiles: 0,
      draftAboutCharacters: 0,
      sites: 0,
      leftOut: 0,
      waitingVisits: 0,
    }
    expect(describeItems({ ...none, bytes: 90 }).at(-1)).toEqual(['All together', '90 bytes'])
    expect(describeItems({ ...none, bytes: 4_000 }).at(-1)).toEqual(['All together', '4 kB'])
  })
})
