// The background and the conversation.
import { describe, expect, it, vi } from 'vitest'
import type { ClientFrameOf } from '../server/frames'
import { sendQueued } from '../client/commands'
import { stored } from '../state/stored'
import { FakeBrowser } from '../tools/fake_browser'
import type { Page } from '../protocol.gen'
import {
  command,
  frames,
  isConnected,
  message,
  nextFrame,
  pairUp,
  penny,
  restart,
  setMisfit,
  socket,
  state,
} from './fake_background'

describe('the background', () => {
  it('pairs, connects, and comes back paired', async () => {
    await pairUp()
    expect(state()).toMatchObject({ pairing: { server: 'http://127.0.0.1:8787', label: 'Firefox' }, unread: 2 })
    penny.connection.stop()
    restart()
    await penny.wake()
    await isConnected()
    expect(frames.filter((frame) => frame.type === 'auth.proof')).toHaveLength(2)
  })

  it('stores a message before it is sent, and lets go of it when it comes back', async () => {
    await pairUp()
    await command({ type: 'send', text: 'Hello' })
    const { turn_id, text } = await nextFrame('chat.send')
    expect(text).toBe('Hello')
    expect(await stored.outbox.getValue()).toMatchObject([{ turn_id, state: 'queued' }])
    socket().say({ type: 'ack', ref: turn_id })
    await vi.waitFor(() => expect(state().unsent).toMatchObject([{ state: 'sent' }]))
    socket().say({ type: 'message.new', message: message(1, { direction: 'in', turn_id }) })
    await vi.waitFor(() => expect(state().unsent).toEqual([]))
    expect(await nextFrame('message.ack')).toEqual({ type: 'message.ack', seq: 1 })
    expect(await stored.conversation.getValue()).toMatchObject({ cursor: 1 })
  })

  it('lets go of what was deleted on another device', async () => {
    await pairUp()
    for (const seq of [1, 2, 3, 4]) socket().say({ type: 'message.new', message: message(seq) })
    await vi.waitFor(() => expect(state().messages).toHaveLength(4))
    socket().say({ type: 'messages.gone', ranges: [{ first: 2, last: 3 }] })
    await vi.waitFor(() => expect(state().messages.map(({ seq }) => seq)).toEqual([1, 4]))
    await vi.waitFor(async () => expect((await stored.conversation.getValue()).messages).toHaveLength(2))
    expect((await stored.conversation.getValue()).cursor).toBe(4)
  })

  it('names threads only to a server that knows them, until one refuses them', async () => {
    await pairUp()
    const fetches = () => frames.filter((frame) => frame.type === 'history.fetch').map(({ thread }) => thread)
    const older = () => command({ type: 'older', before_seq: 9, thread: 'main' })
    await older()
    await vi.waitFor(() => expect(fetches()).toEqual([undefined]))
    const thread = { id: 'a', name: 'Grinders', used_at: '2026-01-01T00:00:00Z' }
    socket().say({ type: 'threads.sync', threads: [thread], more: false })
    await vi.waitFor(() => expect(state().threads).toEqual([thread]))
    expect(await stored.threads.getValue()).toEqual([thread])
    await older()
    await vi.waitFor(() => expect(fetches()).toEqual([undefined, 'main']))
    await command({ type: 'send', text: 'Hello', thread: 'a' })
    expect(await nextFrame('chat.send')).toMatchObject({ text: 'Hello', thread: 'a' })
    socket().close(4400)
    await vi.waitFor(() => expect(state().threads).toBeNull())
  })

  it('gives what the owner chose outside the panel to the first panel that takes it', async () => {
    await pairUp()
    penny.memory.show({ proposal: { id: 'a', windowId: 7, tabId: 3, wants: 'summary' } })
    const took = await Promise.all([
      command({ type: 'take_proposal', id: 'a' }),
      command({ type: 'take_proposal', id: 'a' }),
    ])
    expect(took.map(({ ok }) => ok)).toEqual([true, false])
    expect(state().proposal).toBeNull()
  })

  it.each([
    ['older', 'This extension (1) is older than Penny (0.9.0)'],
    ['newer', 'This extension (1) is newer than Penny (0.9.0)'],
  ] as const)('says what to do when it is %s than the server', async (extension, words) => {
    setMisfit({ extension, version: '0.9.0' })
    await pairUp()
    expect(state().notice).toContain(words)
  })

  it('asks a temporary question until its answer is here, and keeps neither', async () => {
    await pairUp()
    await command({ type: 'send', text: 'In passing', temporary: true })
    const { turn_id, temporary } = await nextFrame('chat.send')
    expect(temporary).toBe(true)
    socket().say({ type: 'ack', ref: turn_id })
    socket().say({ type: 'turn.done', turn_id: 'another', message: message(0, { temporary: true, text: 'not ours' }) })
    await vi.waitFor(() => expect(state().unsent).toMatchObject([{ turn_id, state: 'queued' }]))
    socket().say({ type: 'turn.done', turn_id, message: message(0, { temporary: true, text: 'So it is' }) })
    await vi.waitFor(() =>
      expect(state().temporary).toMatchObject([{ turn_id, question: 'In passing', answer: { text: 'So it is' } }]),
    )
    await vi.waitFor(async () => expect(await stored.outbox.getValue()).toEqual([]))
    expect([state().messages, (await stored.conversation.getValue()).messages]).toEqual([[], []])
    await command({ type: 'forget_temporary' })
    expect(state().temporary).toEqual([])
  })

  it('stays temporary until the owner says otherwise, also where the background was started anew, and however they ask', async () => {
    await pairUp()
    await command({ type: 'set_temporary', on: true })
    penny.connection.stop()
    restart()
    await penny.ready
    expect(state().isTemporary).toBe(true)
    await command({ type: 'forget_everything' })
    expect([state().isTemporary, await stored.temporary.getValue()]).toEqual([false, false])
  })

  it('asks a temporary question that failed once more, with what it was about', async () => {
    await pairUp()
    const page: Page = {
      url: 'https://a.example/',
      title: 'A',
      text: 'x',
      links: [],
      extracted_with: 'text',
      truncated: false,
    }
    await command({ type: 'send', text: 'In passing', temporary: true, page })
    const { turn_id } = await nextFrame('chat.send')
    const error = { code: 'model_away', message: 'No.' }
    socket().say({ type: 'turn.failed', turn_id, error, message: message(0, { temporary: true, kind: 'failure' }) })
    await vi.waitFor(() => expect(state().temporary).toMatchObject([{ turn_id, answer: { kind: 'failure' } }]))
    expect(await command({ type: 'ask_temporary_again', turn_id })).toEqual({ ok: true })
    expect(state().temporary).toEqual([])
    await vi.waitFor(() =>
      expect(frames.filter((frame) => frame.type === 'chat.send')).toMatchObject([
        { turn_id },
        { text: 'In passing', temporary: true, page },
      ]),
    )
    expect(await command({ type: 'ask_temporary_again', turn_id })).toMatchObject({ ok: false })
  })

  it('searches the whole history through the server, and what it keeps while there is none', async () => {
    await pairUp()
    const searching = command({ type: 'search', text: 'lever', before_seq: 9 })
    const { ref, text, before_seq } = await nextFrame('history.search')
    expect([text, before_seq]).toEqual(['lever', 9])
    socket().say({ type: 'history.found', ref, messages: [message(3)], more: true })
    expect(await searching).toEqual({ ok: true, matches: [message(3)], more: true })
    socket().say({ type: 'message.new', message: message(50, { text: 'A Lever' }) })
    await vi.waitFor(() => expect(state().messages).toHaveLength(1))
    penny.connection.stop()
    await vi.waitFor(() => expect(penny.connection.send({ type: 'ping' })).toBe(false))
    expect(await command({ type: 'search', text: 'lever' })).toMatchObject({
      ok: true,
      matches: [{ seq: 50 }],
      more: false,
    })
  })

  it('sends files along, and no page beside them', async () => {
    await pairUp()
    const attachments = [{ name: 'a.txt', mime: 'text/plain', data: 'YQ' }]
    await command({ type: 'send', text: 'What is this?', attachments })
    expect((await nextFrame('chat.send')).attachments).toEqual(attachments)
    const page = {
      url: 'https://a.example/',
      title: 'A',
      text: 'x',
      links: [],
      extracted_with: 'text' as const,
      truncated: false,
    }
    expect(await command({ type: 'send', text: 'Both', attachments, page })).toMatchObject({ ok: false })
    const large = [{ name: 'b.txt', mime: 'text/plain', data: 'A'.repeat(600_000) }]
    expect(await command({ type: 'send', text: 'Large', attachments: large })).toMatchObject({
      ok: false,
      message: expect.stringContaining('too long') as string,
    })
  })

  it('gives back what was said in a temporary chat with its next question, and keeps it nowhere', async () => {
    await pairUp()
    const sentText = async (text: string, more: object = {}) => {
      await command({ type: 'send', text, temporary: true, ...more })
      const frame = await vi.waitUntil(() =>
        frames.find((chat): chat is ClientFrameOf<'chat.send'> => chat.type === 'chat.send' && chat.text === text),
      )
      expect(JSON.stringify(await stored.outbox.getValue())).not.toContain('sealed-')
      socket().say({
        type: 'turn.done',
        turn_id: frame.turn_id,
        message: message(0, { temporary: true, sealed: `sealed-${text}` }),
      })
      await vi.waitFor(() => expect(state().unsent).toEqual([]))
      return frame.earlier
    }
    expect(await sentText('one')).toBeUndefined()
    expect(await sentText('two')).toEqual(['sealed-one'])
    expect(
      await sentText('three', { attachments: [{ name: 'a.txt', mime: 'text/plain', data: 'YQ' }] }),
    ).toBeUndefined()
    expect(await sentText('four')).toEqual(['sealed-one', 'sealed-two', 'sealed-three'])
    await command({ type: 'forget_temporary' })
    expect(await sentText('five')).toBeUndefined()
    await command({ type: 'send', text: 'kept' })
    const keptFrame = await vi.waitUntil(() =>
      frames.find((frame) => frame.type === 'chat.send' && frame.text === 'kept'),
    )
    expect(keptFrame).not.toHaveProperty('earlier')
  })

  it('brings the pictures of messages over the socket, one after the other, and nothing else', async () => {
    await pairUp()
    const address = (digit: string) => `http://127.0.0.1:8787/pictures/${digit.repeat(64)}.webp`
    const outcomes = [
      command({ type: 'picture', address: address('a') }),
      command({ type: 'picture', address: address('b') }),
    ]
    const pictureRequests = () => frames.filter((frame) => frame.type === 'picture.fetch')
    await vi.waitFor(() => expect(pictureRequests()).toHaveLength(1))
    expect(pictureRequests()[0]).toMatchObject({ name: 'a'.repeat(64) })
    socket().say({ type: 'picture', ref: pictureRequests()[0]?.ref ?? '', data: 'UklGRg==' })
    await vi.waitFor(() => expect(pictureRequests()).toHaveLength(2))
    socket().say({ type: 'error', code: 'not_found', message: 'That picture is gone.', ref: pictureRequests()[1]?.ref })
    expect(await Promise.all(outcomes)).toEqual([
      { ok: true, image: 'data:image/webp;base64,UklGRg==' },
      { ok: false, message: 'That picture is gone.' },
    ])
    for (const other of ['https://evil.example/a.png', 'http://127.0.0.1:8787/secret.webp', `${address('a')}?x`]) {
      expect(await command({ type: 'picture', address: other })).toMatchObject({ ok: false })
    }
    expect(pictureRequests()).toHaveLength(2)
  })

  it('begins anew with the conversation of a server that has less than it had', async () => {
    await pairUp()
    socket().say({ type: 'message.new', message: message(42) })
    await vi.waitFor(() => expect(penny.memory.cursor).toBe(42))
    penny.connection.restart() // the welcome of the test's server names 41
    await vi.waitFor(() => expect(state().messages).toEqual([]), 5000)
    expect(penny.memory.cursor).toBeNull()
  })

  it('asks a question that failed once more, and goes on with an answer that is not whole', async () => {
    await pairUp()
    socket().say({ type: 'message.new', message: message(1, { direction: 'in', turn_id: 'turn', text: 'Why?' }) })
    socket().say({ type: 'message.new', message: message(2, { kind: 'failure', turn_id: 'turn' }) })
    await vi.waitFor(() => expect(state().messages).toHaveLength(2))
    expect(await command({ type: 'ask_again', message_id: 'id-2' })).toEqual({ ok: true })
    expect(await nextFrame('chat.send')).toEqual({
      type: 'chat.send',
      turn_id: 'id-2',
      parent_id: 'id-2',
      text: 'Why?',
    })
    expect(await command({ type: 'ask_again', message_id: 'id-1' })).toMatchObject({ ok: false })
    socket().say({ type: 'message.new', message: message(3, { goes_on: true }) })
    await vi.waitFor(() => expect(state().messages).toHaveLength(3))
    expect(await command({ type: 'go_on', message_id: 'id-3' })).toEqual({ ok: true })
    expect(state().unsent.at(-1)).toMatchObject({ turn_id: 'id-3', parent_id: 'id-3', text: 'Go on' })
    expect(await command({ type: 'go_on', message_id: 'id-2' })).toMatchObject({ ok: false })
  })

  it('answers a question late, and waits for the answer to a temporary question that is asked again', async () => {
    await pairUp()
    const late = (turn?: string) =>
      command({ type: 'allow_late', ask_id: 'ask', ...(turn ? { temporary_turn: turn } : {}) })
    const refused = late()
    const { turn_id } = await nextFrame('ask.late')
    socket().say({ type: 'error', code: 'over', message: 'That question is over.', ref: turn_id })
    expect(await refused).toEqual({ ok: false, message: 'That question is over.' })
    penny.memory.show({ temporary: [{ turn_id: 'turn', question: 'Why?', answer: message(0) }] })
    const again = late('turn')
    await vi.waitFor(() => expect(frames.filter((frame) => frame.type === 'ask.late')).toHaveLength(2))
    const sent = frames.filter((frame) => frame.type === 'ask.late').at(-1)
    expect(sent).toEqual({ type: 'ask.late', ask_id: 'ask', turn_id: sent?.turn_id })
    socket().say({ type: 'ack', ref: sent?.turn_id ?? '' })
    expect(await again).toEqual({ ok: true })
    expect(state().temporary).toEqual([])
    expect(state().unsent).toMatchObject([{ turn_id: sent?.turn_id, text: 'Why?', temporary: true }])
    expect(frames.some((frame) => frame.type === 'chat.send')).toBe(false)
  })

  it('keeps a message in line that the server could not store now', async () => {
    await pairUp()
    await command({ type: 'send', text: 'Hello' })
    const { turn_id } = await nextFrame('chat.send')
    socket().say({ type: 'error', code: 'not_stored', message: 'Penny could not store that.', ref: turn_id })
    await vi.waitFor(() => expect(state().notice).toMatch(/sent again by itself/))
    expect(state().unsent).toMatchObject([{ turn_id, state: 'queued' }])
    sendQueued(penny)
    expect(frames.filter((frame) => frame.type === 'chat.send')).toHaveLength(2)
  })

  it('keeps what was written offline, and sends it when the server is there', async () => {
    await pairUp()
    penny.connection.stop()
    await command({ type: 'send', text: 'Later' })
    expect(frames.some((frame) => frame.type === 'chat.send')).toBe(false)
    await command({ type: 'reconnect' })
    expect((await nextFrame('chat.send')).text).toBe('Later')
  })

  it('sends again what was not answered for a while', async () => {
    await pairUp()
    await command({ type: 'send', text: 'Hello?' })
    const { turn_id } = await nextFrame('chat.send')
    penny.tick()
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 20_000)
    penny.tick()
    const turnIds = frames.filter((frame) => frame.type === 'chat.send').map((frame) => frame.turn_id)
    expect(turnIds).toEqual([turn_id, turn_id])
  })

  it('shows a refused message as failed, and sends it again when asked', async () => {
    await pairUp()
    await command({ type: 'send', text: 'No' })
    const { turn_id } = await nextFrame('chat.send')
    socket().say({ type: 'error', code: 'refused', message: 'Not this.', ref: turn_id })
    await vi.waitFor(() => expect(state().unsent).toMatchObject([{ state: 'failed', error: 'Not this.', text: 'No' }]))
    await command({ type: 'retry', turn_id })
    await vi.waitFor(() => expect(frames.filter((frame) => frame.type === 'chat.send')).toHaveLength(2))
    await command({ type: 'discard', turn_id })
    expect(state().unsent).toEqual([])
  })

  it('sends the page that the owner included, and nothing of it that they could not look at', async () => {
    const page = {
      url: 'https://example.com/a',
      title: 'A',
      text: 'Words.',
      extracted_with: 'defuddle',
      truncated: false,
    } as const
    const shared = {
      ...page,
      links: [{ text: 'b', url: 'https://example.com/b' }],
      image: 'https://example.com/a.png',
      metadata: { title: 'b' },
    }
    const fake = new FakeBrowser({ extraction: { page: shared, fallbacks: [], notice: null } })
    fake.tabs.set(5, { id: 5, url: 'https://example.com/a', status: 'complete', active: true })
    await pairUp()
    const read = await command({ type: 'read_tab', tab_id: 5 })
    expect(read).toEqual({ ok: true, page: { ...page, links: shared.links } })
    await command({ type: 'send', text: 'What is it?', ...(read.ok && read.page && { page: read.page }) })
    expect(await nextFrame('chat.send')).toMatchObject({ text: 'What is it?', page: { ...page, links: shared.links } })
    expect(await stored.outbox.getValue()).toMatchObject([{ page: { title: 'A' } }])
  })

  it('leaves out the picture of an included page where both do not fit', async () => {
    const page: Page = {
      url: 'https://example.com/a',
      title: 'A',
      text: '\u{1f600}'.repeat(50_000),
      links: [],
      extracted_with: 'defuddle',
      truncated: false,
    }
    await pairUp()
    expect(await command({ type: 'send', text: 'What is it?', page: { ...page, image: 'a'.repeat(349_000) } })).toEqual(
      { ok: true },
    )
    expect((await nextFrame('chat.send')).page).toEqual(page)
  })

  it('reads no tab for a message while it is not paired', async () => {
    await penny.ready
    expect(await command({ type: 'read_tab', tab_id: 5 })).toMatchObject({
      ok: false,
      message: expect.stringContaining('not paired') as string,
    })
  })

  it.each(['', '   ', 'x'.repeat(32_001)])('does not queue what could never be sent', async (text) => {
    await pairUp()
    expect(await command({ type: 'send', text })).toMatchObject({ ok: false })
    expect(state().unsent).toEqual([])
  })

  it('goes on from the last message that it stored', async () => {
    await pairUp()
    socket().say({ type: 'message.new', message: message(7) })
    await nextFrame('message.ack')
    socket().close(1006)
    await vi.waitFor(
      () => expect(frames.filter((frame) => frame.type === 'auth.proof').at(-1)).toMatchObject({ cursor: 7 }),
      5000,
    )
  })
})
