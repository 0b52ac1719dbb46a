import { describe, expect, it } from 'vitest'
import {
  KEPT_MESSAGES,
  mergeMessages,
  pageOf,
  questionToRetry,
  quotedBy,
  reactionsIn,
  withMessage,
} from './conversation'
import type { Message } from '../protocol.gen'

function message(seq: number, text = ''): Message {
  const created_at = '2026-01-01T12:00:00Z'
  return {
    id: `id-${seq}`,
    seq,
    device_label: 'Web',
    direction: 'in',
    kind: 'chat',
    text,
    html: text,
    created_at,
    origin: ['owner'],
  }
}

describe('the conversation', () => {
  it('is in the order of the server, each message once, the later version of it', () => {
    const all = mergeMessages([message(3), message(1)], [message(2), message(3, 'changed')])
    expect(all.map(({ seq, text }) => [seq, text])).toEqual([
      [1, ''],
      [2, ''],
      [3, 'changed'],
    ])
  })

  it('keeps the newest 200 and moves the cursor with them', () => {
    let conversation = { messages: [] as Message[], cursor: null as number | null }
    for (let seq = 1; seq <= KEPT_MESSAGES + 5; seq++) conversation = withMessage(conversation, message(seq))
    expect(conversation.messages).toHaveLength(KEPT_MESSAGES)
    expect(conversation.messages[0]?.seq).toBe(6)
    expect(conversation.cursor).toBe(205)
  })

  it('knows what stands of each thought after the last reaction to it', () => {
    const thumb = (seq: number, thought_id: string, reaction: 1 | -1 | 0): Message => ({
      ...message(seq),
      kind: 'reaction',
      thought_id,
      reaction,
    })
    const notification: Message = { ...message(1), direction: 'out', kind: 'notification', thought_id: 'a' }
    const all = [
      notification,
      thumb(2, 'a', 1),
      thumb(3, 'b', 1),
      thumb(4, 'a', -1),
      thumb(5, 'c', 1),
      thumb(6, 'c', 0),
      { ...notification, seq: 7 },
    ]
    expect([...reactionsIn(all)]).toEqual([
      ['a', -1],
      ['b', 1],
    ])
  })

  it('finds the question of a failure, or of what the owner stopped, until it was asked again', () => {
    const question: Message = { ...message(1), turn_id: 'a' }
    const failure: Message = { ...message(2), direction: 'out', kind: 'failure', turn_id: 'a' }
    expect(questionToRetry([question, failure], failure)).toBe(question)
    expect(questionToRetry([question, failure], { ...failure, kind: 'cancelled' })).toBe(question)
    expect(questionToRetry([failure], failure)).toBeUndefined()
    expect(questionToRetry([question, failure], { ...failure, kind: 'chat' })).toBeUndefined()
    expect(questionToRetry([question, failure, { ...message(3), turn_id: failure.id }], failure)).toBeUndefined()
  })

  it('shows the picture of a page with the question, though it came with the answer', () => {
    const page = { url: 'https://a.example/', title: 'A' }
    const question: Message = { ...message(1), turn_id: 'a', page }
    const answer: Message = { ...message(2), direction: 'out', turn_id: 'a', page: { ...page, image: 'x' } }
    expect(pageOf([question], question)).toBe(page)
    expect(
      pageOf([question, { ...message(3), direction: 'out', turn_id: 'b', page: { ...page, image: 'y' } }], question),
    ).toBe(page)
    expect(pageOf([question, answer], question)).toBe(answer.page)
    expect(pageOf([message(4)], message(4))).toBeNull()
  })

  it('shows with an answer where it comes from, unless its question says so', () => {
    const page = { url: 'https://a.example/', title: 'A' }
    const question: Message = { ...message(1), turn_id: 'a' }
    const answer: Message = { ...message(2), direction: 'out', turn_id: 'a', page }
    expect(pageOf([question, answer], answer)).toBe(page)
    expect(pageOf([{ ...question, page }, answer], answer)).toBeNull()
  })

  it('knows what the owner replied to, and takes no failure that was tried again for it', () => {
    const byId = (...all: Message[]) => new Map(all.map((entry) => [entry.id, entry]))
    const answer: Message = { ...message(2), direction: 'out', parent_id: 'id-1' }
    const reply: Message = { ...message(3), parent_id: 'id-2' }
    expect(quotedBy(reply, byId(message(1), answer, reply))).toBe(answer)
    expect(quotedBy(answer, byId(message(1), answer))).toBeUndefined()
    expect(quotedBy(reply, byId({ ...answer, kind: 'failure' }))).toBeUndefined()
  })

  it('never moves the cursor back', () => {
    const conversation = { messages: [message(9)], cursor: 9 }
    expect(withMessage(conversation, message(4)).cursor).toBe(9)
  })
})
