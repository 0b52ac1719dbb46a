// @vitest-environment page
// Older messages come while the top of the conversation is in view. What is in view is said by the test.
import { render } from 'preact'
import { useRef } from 'preact/hooks'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { useOlder } from './use_older'

class Watcher {
  static watching = new Set<Watcher>()
  constructor(private readonly report: (entries: { isIntersecting: boolean }[]) => void) {}
  observe = () => (Watcher.watching.add(this), this.tell(isTopInView))
  disconnect = () => void Watcher.watching.delete(this)
  tell = (isIntersecting: boolean) =>
    queueMicrotask(() => Watcher.watching.has(this) && this.report([{ isIntersecting }]))
}

let isTopInView: boolean
let requests: number[]

function setInView(isInView: boolean): void {
  isTopInView = isInView
  Watcher.watching.forEach((watcher) => watcher.tell(isInView))
}

function List({ oldest, hasMore, isReady }: { oldest: number; hasMore: boolean; isReady: boolean }) {
  const list = useRef<HTMLOListElement>(null)
  const older = useOlder(list, oldest, { hasMore, isReady })
  return <ol ref={list}>{older.hasMore && <li ref={older.mark}>{older.isLoading && 'loading'}</li>}</ol>
}

const show = (oldest: number, { hasMore = true, isReady = true } = {}) =>
  render(<List oldest={oldest} hasMore={hasMore} isReady={isReady} />, document.body)
const settle = () => vi.advanceTimersByTimeAsync(50)

beforeEach(() => {
  render(null, document.body)
  vi.useFakeTimers()
  vi.stubGlobal('IntersectionObserver', Watcher)
  Watcher.watching.clear()
  isTopInView = true
  requests = []
  fakeBrowser.reset()
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(
    (async ({ before_seq }: { before_seq: number }) => void requests.push(before_seq)) as never,
  )
})

it('are fetched without any scrolling as long as the top is in view, a page after the other', async () => {
  show(90)
  await settle()
  expect([requests, document.body.textContent]).toEqual([[90], 'loading'])
  show(40)
  await settle()
  expect(requests).toEqual([90, 40])
  show(1)
  await settle()
  expect([requests, document.body.textContent]).toEqual([[90, 40], ''])
})

it('are not fetched while the top is out of view, nor before they can be', async () => {
  isTopInView = false
  show(90)
  await settle()
  setInView(true)
  await settle()
  setInView(false)
  await settle()
  expect([requests, document.body.textContent]).toEqual([[90], ''])
  isTopInView = true
  show(40, { isReady: false })
  await settle()
  expect(requests).toEqual([90])
  show(40)
  await settle()
  expect(requests).toEqual([90, 40])
})

it('are asked for again where the answer was lost, and no longer once the server has none', async () => {
  show(90)
  await settle()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests).toEqual([90, 90])
  show(90, { hasMore: false })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([requests, Watcher.watching.size]).toEqual([[90, 90], 0])
})
