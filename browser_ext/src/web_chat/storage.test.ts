// @vitest-environment page
// What the chat page keeps until the server has it, where the browser has no room for it.
import { beforeEach, expect, it, vi } from 'vitest'
import { withNew, type Unsent } from '../state/outbox'
import { localItem, readOutbox, writeOutbox } from './storage'

const ROOM = 300
const entry = (turn_id: string, characters = 10): Unsent[] =>
  withNew([], { turn_id, text: 'x'.repeat(characters) }, new Date())
const waiting = () => readOutbox().map(({ turn_id }) => turn_id)

beforeEach(() => {
  localStorage.clear()
  const keep = Storage.prototype.setItem
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key: string, text: string) {
    if (text.length > ROOM) throw new DOMException('full', 'QuotaExceededError')
    keep.call(this, key, text)
  })
})

it('keeps of the messages that wait the oldest for which there is room', async () => {
  await writeOutbox([...entry('small'), ...entry('large', ROOM)])
  expect(waiting()).toEqual(['small'])
  await writeOutbox([])
  expect([waiting(), localStorage.length]).toEqual([[], 0])
})

it('lets a draft be written on for which there is no room', async () => {
  const draft = localItem('draft', '')
  await draft.setValue('begun')
  draft.setLast('x'.repeat(ROOM + 1))
  expect(await draft.getValue()).toBe('begun')
  await draft.setValue('')
  expect([await draft.getValue(), localStorage.length]).toEqual(['', 0])
})

it('sends what an earlier version left, and shows what was refused then', () => {
  localStorage.setItem(
    'penny.outbox',
    JSON.stringify([
      { turn_id: 'a', text: 'Hello' },
      { turn_id: 'b', text: '', refused: 'Too long.' },
    ]),
  )
  expect(readOutbox().map(({ turn_id, state, error }) => [turn_id, state, error])).toEqual([
    ['a', 'queued', undefined],
    ['b', 'failed', 'Too long.'],
  ])
  localStorage.setItem('penny.outbox', '{')
  expect(readOutbox()).toEqual([])
})
