// @vitest-environment page
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { dialogOfAct, guardDialogs, noteAsked, noteRefusal, takeDialog } from './page_dialogs'

const CLICK = { do: 'click', ref: '1' } as const
const OTHER = { do: 'click', ref: '2' } as const
const SURE = { kind: 'confirm', text: 'Sure?', is_accepted: false } as const

beforeEach(() => {
  vi.useFakeTimers()
  const executeScript = async ({ func, args }: { func: (...args: unknown[]) => unknown; args: unknown[] }) => [
    { result: func(...args) },
  ]
  Object.assign(fakeBrowser, { scripting: { executeScript } })
})

afterEach(() => vi.useRealTimers())

describe('a question that was answered no', () => {
  it.each([
    ['the same act within 45 seconds', CLICK, 44_000, 'Sure?'],
    ['the same act later', CLICK, 46_000, null],
    ['another act', OTHER, 0, null],
  ])('is asked about: %s', (_, action, ms, words) => {
    noteRefusal('tab', CLICK, SURE)
    vi.advanceTimersByTime(ms)
    expect(dialogOfAct('tab', action, undefined)).toBe(words)
    expect(dialogOfAct('tab', CLICK, undefined)).toBeNull()
  })

  it.each([
    { kind: 'alert', text: 'Mind', is_accepted: false },
    { kind: 'prompt', text: 'Who?', is_accepted: false },
    { kind: 'confirm', text: 'x'.repeat(300), is_accepted: false },
    { kind: 'confirm', text: '', is_accepted: false },
    { ...SURE, is_accepted: true },
  ] as const)('is not asked about where it is %o', (dialog) => {
    noteRefusal('tab', CLICK, dialog)
    expect(dialogOfAct('tab', CLICK, undefined)).toBeNull()
  })

  it('has a yes for this act alone, once', () => {
    noteAsked('d', 'Sure?', CLICK)
    expect(dialogOfAct('tab', OTHER, 'd')).toBeNull()
    noteAsked('d', 'Sure?', CLICK)
    expect(dialogOfAct('tab', CLICK, 'another')).toBeNull()
    expect(dialogOfAct('tab', CLICK, 'd')).toBe('Sure?')
    expect(dialogOfAct('tab', CLICK, 'd')).toBeNull()
  })
})

describe('a page that asks', () => {
  it('gets a no, and its own functions back', async () => {
    const own = [window.alert, window.confirm, window.prompt]
    await guardDialogs(1, 0, 'place', null)
    expect([window.confirm('Sure?'), window.prompt('Who?')]).toEqual([false, null])
    window.alert('Mind')
    expect(await takeDialog(1, 0, 'place')).toEqual(SURE)
    expect([window.alert, window.confirm, window.prompt]).toEqual(own)
    expect(await takeDialog(1, 0, 'place')).toBeNull()
  })

  it('gets a yes once, to the words that the owner was shown', async () => {
    await guardDialogs(1, 0, 'place', 'Sure?')
    const answers = ['Sure', 'Sure? Really', 'Sure?', 'Sure?'].map((text) => window.confirm(text))
    expect([...answers, window.prompt('Sure?')]).toEqual([false, false, true, false, null])
    expect(await takeDialog(1, 0, 'place')).toEqual({ ...SURE, is_accepted: true })
  })
})
