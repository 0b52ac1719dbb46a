// Runs among the page's own scripts, in a tab of ours. Browsers draw no frame in a tab that nobody looks at, so that what a page does in its
// next frame, or once something is scrolled into view, it would never do there. Here it does that at each look of ours, and never by
// itself: no page works on without end. The page can reach all of this, and nothing of it is trusted.

/** Told to the page's window at each look. It is answered by preventing its default where something came into view that was not yet. */
export const LOOK_EVENT = 'penny-looked'

/** A page that goes on without end adds to itself whenever its end comes into view. */
const VIEWS_MOST = 4

type Observation = { callback: IntersectionObserverCallback; pending: Set<Element>; reported: WeakSet<Element> }
type View = Window & typeof globalThis

/** Two visits to one site at once let two of these into each of its pages. */
const HERE = Symbol.for('penny-as-if-shown')

/** Lets the page draw, and see everything that it watches for as if it had been scrolled to, at each look. */
export function pretendVisible(view: View & { [HERE]?: true }): void {
  if (view[HERE]) return
  view[HERE] = true
  const draw = framesOf(view)
  const show = viewsOf(view)
  view.addEventListener(LOOK_EVENT, (event) => {
    draw()
    if (show()) event.preventDefault()
  })
}

/** Returns what draws one frame: whatever waits for it is done, and what waits for the next one then waits for the next look. */
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

/** Returns what shows all that is watched for and was not shown yet, and says whether there was any. */
function viewsOf(view: View): () => boolean {
  const watching = new Map<IntersectionObserver, Observation>()
  let views = 0

  view.IntersectionObserver = class extends view.IntersectionObserver {
    readonly #watching: Observation

    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const reported = new WeakSet<Element>()
      // What was shown does not leave the view again: a page could take its words away.
      const isNews = (entry: IntersectionObserverEntry) => entry.isIntersecting || !reported.has(entry.target)
      super((entries, observer) => entries.some(isNews) && callback.call(observer, entries.filter(isNews), observer), options)
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
    const due = [...watching].map(([observer, state]) => [observer, state, takeVisible(state)] as const).filter(([, , targets]) => targets.length > 0)
    if (due.length > 0) views += 1
    for (const [observer, { callback }, targets] of due) {
      runGuarded(view, () => callback.call(observer, targets.map((target) => entryOf(view, target)), observer))
    }
    return due.length > 0
  }
}

/** Takes out what is awaited and has a place on the page, where it could be scrolled to. */
function takeVisible({ pending, reported }: Observation): Element[] {
  const targets = [...pending].filter((target) => target.getClientRects().length > 0)
  for (const target of targets) {
    pending.delete(target)
    reported.add(target)
  }
  return targets
}

/** As the browser would tell it of something that is in view as a whole. */
function entryOf(view: View, target: Element): IntersectionObserverEntry {
  const box = target.getBoundingClientRect()
  const rootBounds = new view.DOMRect(0, 0, view.innerWidth, view.innerHeight)
  const facts = { target, isIntersecting: true, intersectionRatio: 1, boundingClientRect: box, intersectionRect: box, rootBounds, time: view.performance.now() }
  return Object.create(view.IntersectionObserverEntry.prototype, Object.getOwnPropertyDescriptors(facts)) as IntersectionObserverEntry
}

/** A page's own failure keeps nothing else from being done. */
function runGuarded(view: View, work: () => void): void {
  try {
    work()
  } catch (error) {
    view.reportError(error)
  }
}
