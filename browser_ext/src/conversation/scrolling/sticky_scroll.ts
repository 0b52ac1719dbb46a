// Keep the newest message in view, at the beginning of a long answer, unless the owner scrolled up to read.
import { isAtEnd, isAtRest, restTop } from './rest_position'

const FINGER_PX = 4
const UPWARD = ['ArrowUp', 'PageUp', 'Home']
const FIELDS = 'input, textarea, select, dialog'

/** Where the reader is: at the rest position, at the end, or elsewhere. */
type Place = 'rest' | 'end' | 'elsewhere'

interface Parts {
  /** The scrolling element. */
  box: () => HTMLElement | null
  /** The last answer. */
  newest: () => HTMLElement | null
  /** Called with whether the end is in view. */
  tell: (isAtEnd: boolean) => void
}

export class StickyScroll {
  #place: Place = 'rest'
  #newest = ''
  #size = ''
  #top = 0

  constructor(private readonly parts: Parts) {}

  /** Whether new messages are scrolled into view. */
  get isFollowing(): boolean {
    return this.#place !== 'elsewhere'
  }

  /** Scroll after any change that may have moved the end. */
  follow = (): void => {
    const box = this.parts.box()
    if (!box) return
    if (!this.isFollowing) return this.parts.tell(isAtEnd(box))
    const newest = this.parts.newest()
    if (this.#newest !== turnOf(newest)) this.#place = 'rest'
    box.scrollTop = this.#place === 'end' ? box.scrollHeight : restTop(box, newest)
    this.#note(box)
  }

  /** Go to the end and stay there. */
  toEnd = (): void => this.#go('end')

  /** Go to the rest position and follow the answer. */
  toRest = (): void => this.#go('rest')

  /** Stop following. */
  leave = (): void => {
    this.#place = 'elsewhere'
    this.#note(this.parts.box())
  }

  /** Handle a scroll event. A change of size scrolls too; only the owner's own scrolling says where they read. */
  scrolled = (): void => {
    const box = this.parts.box()
    if (!box) return
    if (this.isFollowing && this.#size !== dimensions(box)) return this.follow()
    if (this.isFollowing || box.scrollTop > this.#top) this.#place = placeIn(box, this.parts.newest(), this.#place)
    this.#note(box)
  }

  /**
   * Listen for wheel, touch and keys. Without this a fast answer pulls the owner back to the end before they can leave
   * it. Return a function that stops listening.
   */
  listen = (element: HTMLElement): (() => void) => {
    const listening = new AbortController()
    const options = { passive: true, signal: listening.signal }
    let startY = 0
    const onMove = ({ touches }: TouchEvent) => {
      const [finger] = touches
      if (touches.length === 1 && finger && finger.clientY > startY + FINGER_PX) this.#away()
    }
    const onWheel = ({ deltaY, ctrlKey }: WheelEvent) => {
      if (deltaY < 0 && !ctrlKey) this.#away()
    }
    const onTouch = ({ touches }: TouchEvent) => {
      startY = touches[0]?.clientY ?? 0
    }
    const onKey = (event: KeyboardEvent) => {
      if (isUpward(event, element)) this.#away()
    }
    element.addEventListener('wheel', onWheel, options)
    element.addEventListener('touchstart', onTouch, options)
    element.addEventListener('touchmove', onMove, options)
    document.addEventListener('keydown', onKey, options)
    return () => listening.abort()
  }

  #go(place: Place): void {
    this.#place = place
    this.#newest = turnOf(this.parts.newest())
    this.follow()
  }

  #away(): void {
    if (this.isFollowing && (this.parts.box()?.scrollTop ?? 0) > 0) this.leave()
  }

  #note(box: HTMLElement | null): void {
    if (!box) return
    this.#size = dimensions(box)
    this.#top = box.scrollTop
    this.#newest = turnOf(this.parts.newest())
    this.parts.tell(isAtEnd(box))
  }
}

function placeIn(box: HTMLElement, newest: HTMLElement | null, before: Place): Place {
  if (!isAtRest(box, newest)) return 'elsewhere'
  return isAtEnd(box) && before !== 'rest' ? 'end' : 'rest'
}

/** Name an answer by its turn: the running answer and its finished message share the name. */
function turnOf(item: HTMLElement | null): string {
  return item?.dataset.turn ?? item?.dataset.seq ?? ''
}

function dimensions(box: HTMLElement): string {
  return `${box.scrollHeight} ${box.clientHeight} ${box.clientWidth}`
}

function isUpward({ key, shiftKey, target, defaultPrevented }: KeyboardEvent, element: HTMLElement): boolean {
  if (defaultPrevented || !(target instanceof Element) || target.closest(FIELDS)) return false
  return (UPWARD.includes(key) || (key === ' ' && shiftKey)) && (target === document.body || element.contains(target))
}
