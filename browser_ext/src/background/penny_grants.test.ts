// The background and what the owner allows, sets and forgets.
import { describe, expect, it, vi } from 'vitest'
import { loadKeys } from '../server/identity'
import { openWhenRemoved } from '../server/left_page'
import { stored } from '../state/stored'
import { FakeBrowser } from '../tools/fake_browser'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import {
  command,
  events,
  frames,
  grant,
  isConnected,
  leftPages,
  message,
  nextFrame,
  pairUp,
  penny,
  restart,
  socket,
  sockets,
  state,
  stubPicture,
} from './fake_background'

describe('the background', () => {
  it('asks the owner, and answers the server once', async () => {
    await pairUp()
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    socket().say({ type: 'grant.ask', request_id: 'r', host: 'a.example', capability: 'read', reason: '', expires_at })
    await vi.waitFor(() => expect(state().asks).toHaveLength(1))
    await command({ type: 'answer_grant', request_id: 'r', choice: 'once' })
    expect(await nextFrame('grant.answer')).toEqual({
      type: 'grant.answer',
      request_id: 'r',
      decision: 'allow',
      scope: 'once',
    })
    expect(state().asks).toEqual([])
  })

  it('takes back a question that was answered elsewhere', async () => {
    await pairUp()
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    socket().say({ type: 'approval.ask', request_id: 'r', text: 'Post it?', expires_at })
    await vi.waitFor(() => expect(state().asks).toHaveLength(1))
    socket().say({ type: 'approval.dismiss', request_id: 'r' })
    await vi.waitFor(() => expect(state().asks).toEqual([]))
  })

  it('runs a tool only for a granted host, only while its own switch is on', async () => {
    await pairUp()
    const results = () =>
      frames.filter((frame) => frame.type === 'tool.result').map((frame) => [frame.call_id, frame.error?.code])
    const call = (call_id: string, url: string) =>
      socket().say({
        type: 'tool.call',
        call_id,
        tool: 'browse_url',
        arguments: { url, session: 'owner' },
        deadline_ms: 5000,
      })
    call('unknown', 'https://example.com/')
    await vi.waitFor(() => expect(results()).toEqual([['unknown', 'not_granted']]))
    socket().say({ type: 'grants.sync', grants: [grant, { ...grant, host: '127.0.0.1:8787' }] })
    call('own server', 'http://localhost:8787/admin/')
    await vi.waitFor(() => expect(results().at(-1)).toEqual(['own server', 'not_granted']))
    await command({ type: 'set_tool_use', on: false })
    expect(await nextFrame('device.update')).toMatchObject({ tool_use: false })
    call('off', 'https://example.com/')
    await vi.waitFor(() => expect(results().at(-1)).toEqual(['off', 'tools_off']))
  })

  it('sends a page without its picture when both are too large for a frame', async () => {
    const page = {
      url: 'https://example.com/',
      title: 'A',
      text: '\u{1f600}'.repeat(50_000),
      links: [],
      extracted_with: 'defuddle',
      truncated: false,
    }
    new FakeBrowser({
      extraction: { page: { ...page, image: 'https://example.com/a.gif' }, fallbacks: [], notice: null },
    })
    await pairUp()
    socket().say({ type: 'grants.sync', grants: [grant] })
    stubPicture(256 * 1024)
    const call = {
      type: 'tool.call',
      tool: 'browse_url',
      arguments: { url: page.url, session: 'owner' },
      deadline_ms: 5000,
    } as const
    socket().say({ ...call, call_id: '1' })
    const { result } = await nextFrame('tool.result')
    expect(result && { ...result, text: '' }).toEqual({ ...page, text: '' })
  })

  it('does not let the server switch reading on', async () => {
    await stored.toolSwitch.setValue({ on: false, unsent: false })
    restart()
    await pairUp()
    expect(await nextFrame('device.update')).toMatchObject({ tool_use: false })
    expect(state().toolUse).toBe(false)
  })

  it('stays away after it was replaced or removed, until the owner asks', async () => {
    await pairUp()
    socket().close(4403)
    await vi.waitFor(() => expect(state().connection).toEqual({ name: 'refused', reason: 'revoked' }))
    restart()
    await penny.wake()
    expect(state().connection).toEqual({ name: 'refused', reason: 'revoked' })
    expect(sockets).toHaveLength(1)
    await command({ type: 'reconnect' })
    await isConnected()
  })

  it('forgets the server, its messages and the key when it is unpaired, not what the owner wrote', async () => {
    await pairUp()
    socket().say({ type: 'message.new', message: message(1) })
    await nextFrame('message.ack')
    await command({ type: 'send', text: 'Unsent' })
    await command({ type: 'unpair' })
    await vi.waitFor(() => expect(state().connection.name).toBe('not_paired'))
    expect(state()).toMatchObject({ pairing: null, messages: [], unsent: [{ text: 'Unsent' }] })
    expect(await stored.conversation.getValue()).toEqual({ messages: [], cursor: null })
  })

  it('has its page at the server opened when it is removed, as long as it is paired', async () => {
    await pairUp()
    expect(leftPages.at(-1)).toBe('http://127.0.0.1:8787/left/device-1/')
    restart()
    await penny.ready
    expect(leftPages.at(-1)).toBe('http://127.0.0.1:8787/left/device-1/')
    await command({ type: 'forget_everything' })
    expect(leftPages.at(-1)).toBe('')
    restart()
    await penny.ready
    expect(leftPages.at(-1)).toBe('')
  })

  it('has nothing opened where the address would be longer than browsers take', async () => {
    await openWhenRemoved({ server: 'https://penny.example', device_id: 'device-1' })
    expect(leftPages.at(-1)).toBe('https://penny.example/left/device-1/')
    await openWhenRemoved({ server: `https://${'a'.repeat(1000)}.example`, device_id: 'device-1' })
    expect(leftPages.at(-1)).toBe('')
  })

  it('sets and revokes a grant, and says what the server made of it', async () => {
    await pairUp()
    const { expires_at: _none, ...plainGrant } = grant
    const set = command({ type: 'set_grant', grant: { ...plainGrant, host: ' example.com ' } })
    expect(await nextFrame('grant.set')).toEqual({ type: 'grant.set', ...plainGrant })
    expect(state().grants).toEqual([])
    socket().say({ type: 'ack', ref: 'example.com' })
    socket().say({ type: 'grants.sync', grants: [grant] })
    expect(await set).toEqual({ ok: true })
    await vi.waitFor(() => expect(events).toContainEqual({ type: 'change', change: { grants: [grant] } }))
    const revoking = command({ type: 'revoke_grant', grant: { host: 'example.com', capability: 'read' } })
    expect(await nextFrame('grant.revoke')).toEqual({ type: 'grant.revoke', host: 'example.com', capability: 'read' })
    socket().say({ type: 'error', code: 'not_found', message: 'There is none.', ref: 'example.com' })
    expect(await revoking).toEqual({ ok: false, message: 'There is none.' })
    expect(state()).toMatchObject({ grants: [grant], notice: null })
  })

  it('does not send as a grant what no frame may hold, nor anything while it is away', async () => {
    await pairUp()
    const set = (host: string) => command({ type: 'set_grant', grant: { ...grant, host } })
    expect([await set('  '), await set('x'.repeat(261))]).toMatchObject([{ ok: false }, { ok: false }])
    socket().close(1006)
    await vi.waitFor(() => expect(state().connection.name).not.toBe('connected'))
    penny.connection.stop()
    expect(await set('example.com')).toMatchObject({
      ok: false,
      message: expect.stringContaining('not connected') as string,
    })
    expect(frames.some((frame) => frame.type === 'grant.set')).toBe(false)
  })

  it('does not leave the owner waiting when the connection is lost', async () => {
    await pairUp()
    const set = command({ type: 'set_grant', grant })
    await nextFrame('grant.set')
    socket().close(1006)
    expect(await set).toMatchObject({ ok: false, message: expect.stringContaining('connection was lost') as string })
  })

  it('sends a thumb and its undo, and says when the thought is gone', async () => {
    await pairUp()
    const thumb = { thought_id: 'thought-1', valence: -1 } as const
    const reacting = command({ type: 'react', ...thumb })
    expect(await nextFrame('thought.react')).toEqual({ type: 'thought.react', ...thumb })
    socket().say({ type: 'ack', ref: 'thought-1' })
    expect(await reacting).toEqual({ ok: true })
    const undone = command({ type: 'unreact', ...thumb })
    expect(await nextFrame('thought.unreact')).toEqual({ type: 'thought.unreact', ...thumb })
    socket().say({ type: 'error', code: 'not_found', message: 'That thought is gone.', ref: 'thought-1' })
    expect(await undone).toEqual({ ok: false, message: 'That thought is gone.' })
    expect(state().notice).toBeNull()
  })

  it('takes a new name once the server has it, and none that it would refuse', async () => {
    await pairUp()
    for (const label of ['', '  ', '\u0085', 'x'.repeat(65)])
      expect(await command({ type: 'rename', label })).toMatchObject({ ok: false })
    const renaming = command({ type: 'rename', label: ' Kitchen ' })
    const { ref, label } = await nextFrame('device.update')
    expect([label, state().pairing?.label]).toEqual(['Kitchen', 'Firefox'])
    socket().say({ type: 'ack', ref })
    expect(await renaming).toEqual({ ok: true })
    expect(state().pairing?.label).toBe('Kitchen')
  })

  it('forgets everything that it keeps, the key and what was never sent included', async () => {
    await pairUp()
    socket().say({ type: 'grants.sync', grants: [grant] })
    await stored.draft.setValue('A draft')
    await command({ type: 'send', text: 'Unsent' })
    await command({ type: 'set_tool_use', on: false })
    expect(await command({ type: 'forget_everything' })).toEqual({ ok: true })
    await vi.waitFor(() => expect(state().connection.name).toBe('not_paired'))
    expect(state()).toMatchObject({ pairing: null, grants: [], unsent: [], toolUse: true })
    expect(await fakeBrowser.storage.local.get(null)).toEqual({})
    expect(await loadKeys()).toBeNull()
  })

  it('forgets what is still being stored of what came just before', async () => {
    await pairUp()
    for (let seq = 1; seq < 40; seq++) socket().say({ type: 'message.new', message: message(seq) })
    socket().say({ type: 'grants.sync', grants: [grant] })
    expect(await command({ type: 'forget_everything' })).toEqual({ ok: true })
    await penny.disconnect()
    expect(await fakeBrowser.storage.local.get(null)).toEqual({})
    expect(state()).toMatchObject({ grants: [], messages: [] })
  })

  it('says what is wrong with a pairing, and changes nothing', async () => {
    await penny.ready
    const outcome = await command({ type: 'pair', server: 'http://192.168.1.2', code: '12345678', label: 'x' })
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('https') as string })
    expect(await stored.pairing.getValue()).toBeNull()
  })

  it('survives frames that it does not know', async () => {
    await pairUp()
    socket().dispatchEvent(new MessageEvent('message', { data: '{"type":"toString"}' }))
    socket().dispatchEvent(new MessageEvent('message', { data: '{"type":"new.thing"}' }))
    socket().say({ type: 'thoughts.count', unread: 9 })
    await vi.waitFor(() => expect(state().unread).toBe(9))
  })
})
