import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { ServerFrameOf } from '../server/frames'
import type { ToolResult } from '../protocol.gen'
import { startWith } from '../page_tabs/start'
import { ToolCalls } from './calls'
import { FakeBrowser } from './fake_browser'

const page = {
  url: 'https://example.com/',
  title: '',
  text: 'words',
  links: [],
  extracted_with: 'defuddle',
  truncated: false,
}

let answers: ToolResult[]
let isOn: boolean
let calls: ToolCalls

beforeEach(() => {
  fakeBrowser.reset()
  new FakeBrowser({ extraction: { page, fallbacks: [], notice: null } })
  answers = []
  isOn = true
  const permits = (url: URL) => url.hostname === 'example.com'
  calls = new ToolCalls({
    isOn: () => isOn,
    permits,
    mayAct: () => false,
    isCleanOnly: () => false,
    rules: () => [],
    answer: (frame) => answers.push(frame),
  })
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

function call(call_id: string, fields: Partial<ServerFrameOf<'tool.call'>> = {}): void {
  const input = { url: 'https://example.com/', session: 'owner' } as const
  calls.call({ type: 'tool.call', call_id, tool: 'browse_url', arguments: input, deadline_ms: 30_000, ...fields })
}

const waitForAnswers = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count), 5000)
const codes = () => answers.map(({ call_id, error }) => [call_id, error?.code])

describe('a tool call', () => {
  it('is answered with its result', async () => {
    call('1')
    await waitForAnswers(1)
    expect(answers[0]).toEqual({ type: 'tool.result', call_id: '1', result: page })
  })

  it('waits until what an ended background left is put in order', async () => {
    const order = Promise.withResolvers<void>()
    const starting = startWith(() => order.promise)
    const opening = vi.spyOn(fakeBrowser.tabs, 'create')
    call('1')
    await new Promise((resolve) => setTimeout(resolve)) // a call without the wait opens its tab by now
    expect(opening).not.toHaveBeenCalled()
    order.resolve()
    await starting
    await waitForAnswers(1)
    expect(opening).toHaveBeenCalledOnce()
    opening.mockRestore()
  })

  it('is answered once, though it was sent and cancelled twice', async () => {
    call('1')
    call('1')
    calls.cancel('1')
    calls.cancel('1')
    await waitForAnswers(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(codes()).toEqual([['1', 'cancelled']])
  })

  it('ends at its deadline', async () => {
    call('1', { deadline_ms: 550 })
    await waitForAnswers(1)
    expect(codes()).toEqual([['1', 'timeout']])
  })

  it('says at its deadline what it was at', async () => {
    vi.spyOn(fakeBrowser.scripting, 'executeScript').mockImplementation(() => new Promise(() => undefined))
    call('loading', { deadline_ms: 700 })
    await waitForAnswers(1)
    vi.spyOn(fakeBrowser.tabs, 'create').mockImplementation(() => new Promise(() => undefined))
    call('opening', { deadline_ms: 550 })
    await waitForAnswers(2)
    expect(answers.map(({ error }) => error?.message)).toEqual([
      'The page took too long to load.',
      'The tab took too long to open.',
    ])
  })

  it('is refused while reading is off, and ended when it is switched off', async () => {
    call('running')
    isOn = false
    call('refused')
    calls.abortAll('tools_off')
    await waitForAnswers(2)
    expect(codes().sort()).toEqual([
      ['refused', 'tools_off'],
      ['running', 'tools_off'],
    ])
  })

  it('of an unknown tool is an error, also under the names that every object has', async () => {
    call('1', { tool: 'fold_page' })
    call('2', { tool: 'constructor' })
    await waitForAnswers(2)
    expect(codes()).toEqual([
      ['1', 'internal'],
      ['2', 'internal'],
    ])
  })

  it('does not wait for another', async () => {
    call('1')
    call('2', { arguments: { url: 'https://other.example/', session: 'owner' } })
    await waitForAnswers(2)
    expect(codes()).toEqual([
      ['2', 'not_granted'],
      ['1', undefined],
    ])
  })

  it('never tells the server what went wrong inside', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    Object.assign(fakeBrowser.tabs, { create: async () => Promise.reject(new Error('/home/owner/profile')) })
    call('1')
    await waitForAnswers(1)
    expect(answers[0]?.error).toEqual({ code: 'internal', message: 'Something went wrong in the browser.' })
  })
})
