// @vitest-environment page
// jsdom has neither frames that can be held back nor observers: both are put there as a tab that nobody sees has them,
// never telling anything.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pretendVisible, LOOK_EVENT } from './pretend_visible'

type View = Window & typeof globalThis
let view: View

class Silent {
  readonly callback: IntersectionObserverCallback
  constructor(callback: IntersectionObserverCallback) {
    this.callback = callback
    silent.push(this)
  }
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
let silent: Silent[] = []

beforeEach(() => {
  document.body.innerHTML = ''
  silent = []
  const target = new EventTarget()
  let handle = 0
  view = Object.assign(target, {
    document,
    performance,
    DOMRect: class {},
    reportError: vi.fn(),
    IntersectionObserver: Silent,
    IntersectionObserverEntry: class {},
    requestAnimationFrame: () => ++handle,
    cancelAnimationFrame: () => undefined,
    setTimeout: setTimeout.bind(globalThis),
    clearTimeout: clearTimeout.bind(globalThis),
  }) as unknown as View
  Element.prototype.getClientRects = function () {
    return (this.hasAttribute('hidden') ? [] : [{}]) as unknown as DOMRectList
  }
  pretendVisible(view)
})

/** Returns whether the page may soon change. */
const look = () => !view.dispatchEvent(new Event(LOOK_EVENT, { cancelable: true }))

function addElements(...names: string[]): Element[] {
  return names.map((name) => {
    const element = document.createElement('p')
    element.id = name
    document.body.append(element)
    return element
  })
}

describe('frames', () => {
  it('are drawn one at each look, and never by themselves', () => {
    const frames: number[] = []
    const draw = () => {
      frames.push(frames.length)
      view.requestAnimationFrame(draw)
    }
    view.requestAnimationFrame(draw)
    expect(frames).toEqual([])
    look()
    expect(frames).toEqual([0])
    look()
    expect(frames).toEqual([0, 1])
  })

  it('are not drawn once they were given up, and one that fails keeps no other', () => {
    const [first, other] = [vi.fn(), vi.fn()]
    view.cancelAnimationFrame(view.requestAnimationFrame(first))
    view.requestAnimationFrame(() => {
      throw new Error('a fault of the page')
    })
    view.requestAnimationFrame(other)
    expect(look()).toBe(false)
    expect(first).not.toHaveBeenCalled()
    expect(other).toHaveBeenCalledOnce()
    expect(view.reportError).toHaveBeenCalledOnce()
  })
})

describe('what a page watches for', () => {
  it('comes into view at the next look, once', () => {
    const report = vi.fn<(names: string[]) => void>()
    const observer = new view.IntersectionObserver((entries) =>
      report(entries.map((entry) => `${entry.target.id} ${entry.isIntersecting}`)),
    )
    addElements('a', 'b').forEach((element) => observer.observe(element))
    expect(look()).toBe(true)
    expect(report.mock.calls).toEqual([[['a true', 'b true']]])
    expect(look()).toBe(false)
    expect(report).toHaveBeenCalledOnce()
  })

  it('stays out of view where it has no place on the page, or is not watched for any more', () => {
    const report = vi.fn()
    const observer = new view.IntersectionObserver(report)
    const other = new view.IntersectionObserver(report)
    const [hidden, watchedElement, left] = addElements('hidden', 'given', 'left') as [Element, Element, Element]
    hidden.setAttribute('hidden', '')
    observer.observe(hidden)
    observer.observe(watchedElement)
    observer.unobserve(watchedElement)
    other.observe(left)
    other.disconnect()
    expect(look()).toBe(false)
    expect(report).not.toHaveBeenCalled()
    hidden.removeAttribute('hidden')
    expect(look()).toBe(true)
  })

  it('does not leave the view again, whatever the browser says of a tab that nobody sees', () => {
    const report = vi.fn()
    const observer = new view.IntersectionObserver(report)
    const [target, unseen] = addElements('seen', 'unseen') as [Element, Element]
    observer.observe(target)
    look()
    const entry = (target: Element) => ({ target, isIntersecting: false }) as unknown as IntersectionObserverEntry
    silent[0]!.callback([entry(target)], observer)
    expect(report).toHaveBeenCalledOnce()
    silent[0]!.callback([entry(target), entry(unseen)], observer)
    expect((report.mock.lastCall?.[0] as IntersectionObserverEntry[]).map(({ target }) => target.id)).toEqual([
      'unseen',
    ])
  })

  it('ends, on a page that goes on without end', () => {
    const parts: string[] = []
    const observer = new view.IntersectionObserver(() => {
      parts.push('another part')
      addElements(`end-${parts.length}`).forEach((end) => observer.observe(end))
    })
    addElements('end').forEach((end) => observer.observe(end))
    expect(Array.from({ length: 10 }, look)).toEqual([true, true, true, true, false, false, false, false, false, false])
    expect(parts).toHaveLength(4)
  })
})

describe('timers', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    const [set, clear] = [setTimeout.bind(globalThis), clearTimeout.bind(globalThis)]
    Object.assign(view, { setTimeout: set, clearTimeout: clear, performance })
    Reflect.deleteProperty(view, Symbol.for('penny-as-if-shown'))
    pretendVisible(view)
  })
  afterEach(() => vi.useRealTimers())

  it('that are short are awaited until they end or are cleared', () => {
    const calls: unknown[] = []
    view.setTimeout((...values: unknown[]) => calls.push(values), 700, 'a', 2)
    expect(look()).toBe(true)
    vi.advanceTimersByTime(700)
    expect([look(), calls]).toEqual([false, [['a', 2]]])
    view.clearTimeout(view.setTimeout(() => calls.push('cleared'), 700))
    expect(look()).toBe(false)
    vi.advanceTimersByTime(700)
    expect(calls).toHaveLength(1)
  })

  it('that are long are not awaited', () => {
    view.setTimeout(() => undefined, 30_000)
    expect(look()).toBe(false)
  })

  it('of a page that polls are not awaited for long', () => {
    let polls = 0
    const poll = () => {
      polls += 1
      view.setTimeout(poll, 100)
    }
    poll()
    expect(look()).toBe(true)
    vi.advanceTimersByTime(1_000)
    expect([look(), polls]).toEqual([false, 11])
  })
})
