// @vitest-environment page
import { render } from 'preact'
import { beforeEach, expect, it } from 'vitest'
import type { Message, Receipt } from '../../protocol.gen'
import { ReceiptLine, UnseenLine } from './receipt'

const answer: Message = {
  id: 'm1',
  seq: 2,
  device_label: 'Penny',
  direction: 'out',
  kind: 'chat',
  text: 'Nine bars',
  html: '<p>Nine bars</p>',
  created_at: '2026-01-01T12:00:00Z',
  turn_id: 'turn-1',
  origin: ['penny'],
}
const nothing: Receipt = { sites: 0, searches: 0, sent_to: [], cost: '' }

beforeEach(() => (document.body.innerHTML = '<div id="app"></div>'))

function shown(message: Message): Element | null {
  render(<ReceiptLine message={message} server="http://127.0.0.1:8787" />, document.querySelector('#app') as Element)
  return document.querySelector('.receipt')
}

it.each<[Receipt, string]>([
  [nothing, 'nothing of yours sent'],
  [{ ...nothing, sites: 1 }, '1 site read · nothing of yours sent'],
  [{ ...nothing, sites: 1, acts: 2 }, '1 site read · 2 acts on pages'],
  [{ ...nothing, sites: 2, searches: 1 }, '2 sites read · 1 search sent'],
  [
    { sites: 2, searches: 3, sent_to: ['api.example', 'eye.example'], cost: '0.0040' },
    '2 sites read · 3 searches sent · your words went to api.example, eye.example · cost 0.0040',
  ],
])('says what an answer took', (receipt, words) => {
  expect(shown({ ...answer, receipt })?.textContent).toBe(words)
})

it('leads to how it was answered, where the server still knows', () => {
  const link = shown({ ...answer, receipt: nothing })?.querySelector('a')
  expect(link?.getAttribute('href')).toBe('http://127.0.0.1:8787/turns/turn-1/')
  expect(shown({ ...answer, receipt: nothing, temporary: true })?.querySelector('a')).toBeNull()
})

it('stands under no message that has none', () => {
  expect(shown(answer)).toBeNull()
})

it.each<[string, RegExp]>([
  ['2026-01-12T08:00:00', /^I no longer see what was said before 8:00\sAM today\. Reply to it, or write it again/],
  ['2026-01-11T08:00:00', /^I no longer see what was said before January 11\. /],
  ['2025-11-12T08:00:00', /^I no longer see what was said before November 12, 2025\. /],
])('says from when on the conversation was seen, where that is told', (unseen_before, words) => {
  const message = { ...answer, receipt: { ...nothing, unseen_before } }
  render(
    <UnseenLine message={message} now={new Date('2026-01-12T20:00:00')} />,
    document.querySelector('#app') as Element,
  )
  expect(document.querySelector('.receipt')?.textContent).toMatch(words)
})
