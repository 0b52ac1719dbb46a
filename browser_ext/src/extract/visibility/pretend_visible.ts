// Runs among the page's own scripts, in a tab of ours. Browsers draw no frame in a hidden tab, so pages wait there for
// the next frame, or for an element to scroll into view. This script does that work once for each look event, so that
// no page works without end. The page can reach all of this, and nothing here is trusted.

/** Dispatched to the page's window at each look. Its default is prevented if the page may soon change. */
export const LOOK_EVENT = 'penny-looked'

/** An endless page adds content whenever its end comes into view. */
const VIEWS_MOST = 4

/** A page that fills itself in steps sets short timers. */
const TIMER_MS = 1_000
const TIMERS_FOR_MS = 1_000

type Observation = { callback: IntersectionObserverCallback; pending: Set<Element>; reported: WeakSet<Element> }
type View = Window & typeof globalThis

/** Two visits to one site at once would inject two of these scripts into each page. */
const HERE = Symbol.for('penny-as-if-shown')

/**
 * Draw a frame and report all observed elements as visible, at each look event. Tell whether the page may soon change.
 */
export function pretendVisible(view: View & { [HERE]?: true }): void {
  if (view[HERE]) return
  view[HERE] = true
  const draw = framesOf(view)
  const show = viewsOf(view)
  const isTimed = timersOf(view)
  view.addEventListener(LOOK_EVENT, (event) => {
    draw()
    const isShown = show()
    if (isShown || isTimed()) event.preventDefault()
  })
}

/** Return a function that runs all callbacks of one frame. New callbacks wait for the next look. */
function framesOf(view: View): () => void {
  const waiting = new Map<number, FrameRequestCallback>()
  const [request, cancel] = [view.requestAnimationFrame.bind(view), view.cancelAnimationFrame.bind(view)]
  const run = (handle: number, time: number) => {
    const callback = waiting.get(handle)
    waiting.delete(handle)
    callback?.(time)
  }
  view.requestAnimationFrame = (callback) => {
    const handle = request((time) => run(handle, time))
    waiting.set(handle, callback)
    return handle
  }
  view.cancelAnimationFrame = (handle) => {
    waiting.delete(handle)
    cancel(handle)
  }
  return () => {
    for (const handle of [...waiting.keys()]) {
      cancel(handle)
      runGuarded(view, () => run(handle, view.performance.now()))
    }
  }
}

/** Return a function that says whether a short timer waits. Never true long after its first call: many pages poll. */
function timersOf(view: View): () => boolean {
  const waiting = new Set<unknown>()
  const [set, clear] = [view.setTimeout.bind(view), view.clearTimeout.bind(view)]
  const setShort = (run: () => void, ms: number | undefined): number => {
    const handle = set(() => {
      waiting.delete(handle)
      run()
    }, ms)
    waiting.add(handle)
    return handle
  }
  const setTimer = (handler: TimerHandler, ms?: number, ...values: unknown[]): number => {
    if (typeof handler !== 'function' || Number(ms) > TIMER_MS) return set(handler, ms, ...values)
    return setShort(() => void Reflect.apply(handler, view, values), ms)
  }
  view.setTimeout = setTimer as typeof view.setTimeout
  view.clearTimeout = (handle) => {
    waiting.delete(handle)
    clear(handle)
  }
  let until = 0
  return () => {
    until ||= view.performance.now() + TIMERS_FOR_MS
    return waiting.size > 0 && view.performance.now() < until
  }
}

/** Return a function that reports all unreported elements as visible, and returns whether there were any. */
function viewsOf(view: View): () => boolean {
  const watching = new Map<IntersectionObserver, Observation>()
  let views = 0

  view.IntersectionObserver = class extends view.IntersectionObserver {
    readonly #watching: Observation

    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const reported = new WeakSet<Element>()
      // A reported element never leaves the view again: a page could remove its words.
      const isNews = (entry: IntersectionObserverEntry) => entry.isIntersecting || !reported.has(entry.target)
      super(
        (entries, observer) => entries.some(isNews) && callback.call(observer, entries.filter(isNews), observer),
        options,
      )
      this.#watching = { callback, pending: new Set(), reported }
    }

    override observe(target: Element): void {
      super.observe(target)
      this.#watching.pending.add(target)
      watching.set(this, this.#watching)
    }

    override unobserve(target: Element): void {
      super.unobserve(target)
      this.#watching.pending.delete(target)
    }

    override disconnect(): void {
      super.disconnect()
      this.#watching.pending.clear()
      watching.delete(this)
    }
  }

  return () => {
    if (views === VIEWS_MOST) return false
    const due = [...watching]
      .map(([observer, state]) => [observer, state, takeVisible(state)] as const)
      .filter(([, , targets]) => targets.length > 0)
    if (due.length > 0) views += 1
    for (const [observer, { callback }, targets] of due) {
      runGuarded(view, () =>
        callback.call(
          observer,
          targets.map((target) => entryOf(view, target)),
          observer,
        ),
      )
    }
    return due.length > 0
  }
}

/** Take the pending elements that have a place on the page, where one could scroll to them. */
function takeVisible({ pending, reported }: Observation): Element[] {
  const targets = [...pending].filter((target) => target.getClientRects().length > 0)
  for (const target of targets) {
    pending.delete(target)
    reported.add(target)
  }
  return targets
}

/** The entry that a browser sends for an element that is completely in view. */
function entryOf(view: View, target: Element): IntersectionObserverEntry {
  const box = target.getBoundingClientRect()
  const rootBounds = new view.DOMRect(0, 0, view.innerWidth, view.innerHeight)
  const facts = {
    target,
    isIntersecting: true,
    intersectionRatio: 1,
    boundingClientRect: box,
    intersectionRect: box,
    rootBounds,
    time: view.performance.now(),
  }
  return Object.create(
    view.IntersectionObserverEntry.prototype,
    Object.getOwnPropertyDescriptors(facts),
  ) as IntersectionObserverEntry
}

/** A failure of the page must not stop the rest. */
function runGuarded(view: View, work: () => void): void {
  try {
    work()
  } catch (error) {
    view.reportError(error)
  }
}
