// @vitest-environment page
// Who follows a conversation that grows, and who has left its end. The box is one of 400 px, scrolled as a browser
// would.
import { beforeEach, describe, expect, it } from 'vitest'
import { StickyScroll } from './sticky_scroll'

const VIEW_PX = 400

let list: HTMLElement
let height: number
let reports: boolean[]
let following: StickyScroll

beforeEach(() => {
  document.body.innerHTML = '<div id="list"><button>Copy</button></div><textarea></textarea>'
  list = document.querySelector<HTMLElement>('#list') ?? document.body
  height = 1000
  let top = 0
  Object.defineProperties(list, {
    clientHeight: { value: VIEW_PX },
    clientWidth: { value: 300, writable: true },
    scrollHeight: { get: () => height },
    scrollTop: { get: () => top, set: (value: number) => (top = Math.max(0, Math.min(height - VIEW_PX, value))) },
  })
  reports = []
  following = new StickyScroll({ box: () => list, newest: () => null, tell: (isAtEnd) => reports.push(isAtEnd) })
  following.listen(list)
  following.follow()
})

const end = () => height - VIEW_PX

function grow(): void {
  height += 50
  following.follow()
}

function scrollTo(top: number): void {
  list.scrollTop = top
  following.scrolled()
}

const key = (name: string, target: Element = list) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
const wheel = (deltaY: number, more: WheelEventInit = {}) =>
  list.dispatchEvent(new WheelEvent('wheel', { deltaY, ...more }))

function drag(from: number, to: number): void {
  const touch = (type: string, clientY: number) =>
    list.dispatchEvent(Object.assign(new Event(type), { touches: [{ clientY }] }))
  touch('touchstart', from)
  touch('touchmove', to)
}

describe('a reader at the end of an answer that grows quickly', () => {
  it('stays there', () => {
    grow()
    expect([list.scrollTop, reports.at(-1)]).toEqual([end(), true])
  })

  it.each<[string, () => void]>([
    ['a wheel', () => wheel(-10)],
    ['a finger', () => drag(100, 120)],
    ['PageUp', () => key('PageUp')],
    ['ArrowUp', () => key('ArrowUp')],
    ['Home', () => key('Home')],
    ['PageUp on a button in it', () => key('PageUp', list.querySelector('button') ?? list)],
    ['PageUp where nothing has the focus', () => key('PageUp', document.body)],
  ])('leaves it at once by %s, before a scroll is told of', (_, up) => {
    const before = list.scrollTop
    up()
    grow()
    expect(list.scrollTop).toBe(before)
    scrollTo(before - 5)
    grow()
    expect([list.scrollTop, reports.at(-1)]).toEqual([before - 5, false])
  })

  it('is away from it already within the few pixels that count as the end', () => {
    const before = list.scrollTop
    wheel(-10)
    scrollTo(before - 10)
    grow()
    expect(list.scrollTop).toBe(before - 10)
  })

  it.each<[string, () => void]>([
    ['wheels down', () => wheel(10)],
    ['zooms by the wheel', () => wheel(-10, { ctrlKey: true })],
    ['drags further down', () => drag(120, 100)],
    ['writes', () => key('ArrowUp', document.querySelector('textarea') ?? list)],
    ['goes down by key', () => key('ArrowDown')],
  ])('stays there who %s', (_, act) => {
    act()
    grow()
    expect(list.scrollTop).toBe(end())
  })

  it('follows again once they have scrolled back down to it', () => {
    wheel(-10)
    scrollTo(end() - 200)
    grow()
    scrollTo(end() - 20)
    grow()
    expect(list.scrollTop).toBe(end())
  })

  it('is not taken for one who left by a change of the width, which moves everything', () => {
    height += 300
    list.scrollTop = 10
    following.scrolled()
    expect(list.scrollTop).toBe(end())
  })
})

describe('a conversation that does not scroll', () => {
  it('is not left by a wheel, which moves nothing', () => {
    height = VIEW_PX
    following.follow()
    wheel(-10)
    grow()
    expect(list.scrollTop).toBe(end())
  })
})
