// @vitest-environment jsdom
// What the web chat keeps until the server has it, where the browser has no room for it.
import { beforeEach, expect, it, vi } from 'vitest'
import { draft, outbox } from '../../../penny_site/static/penny/chat/storage.js'

const ROOM = 200
const entry = (turn_id: string, characters = 10) => ({ turn_id, text: 'x'.repeat(characters) })
const waiting = () => outbox.all().map(({ turn_id }) => turn_id)

beforeEach(() => {
  localStorage.clear()
  const keep = Storage.prototype.setItem
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key: string, text: string) {
    if (text.length > ROOM) throw new DOMException('full', 'QuotaExceededError')
    keep.call(this, key, text)
  })
})

it('keeps a message for which there is no room as long as the page is open, and those before it for good', () => {
  outbox.put(entry('small'))
  outbox.put(entry('large', ROOM))
  expect(waiting()).toEqual(['small', 'large'])
  outbox.remove('small')
  expect(waiting()).toEqual(['large'])
  outbox.put(entry('small again'))
  outbox.remove('large')
  expect([waiting(), localStorage.getItem('penny.outbox')]).toEqual([
    ['small again'],
    JSON.stringify([entry('small again')]),
  ])
})

it('lets a draft be written on for which there is no room', () => {
  draft.set('begun')
  draft.set('x'.repeat(ROOM + 1))
  expect(draft.get()).toBe('begun')
})
