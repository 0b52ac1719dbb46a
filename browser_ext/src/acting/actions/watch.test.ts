// @vitest-environment page
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { References } from '../references'
import { beginWatch, lookAtPage } from './watch'
import { layOutPage } from '../snapshot/fake_layout'

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<p>Text</p>'
  Reflect.deleteProperty(globalThis, 'pennyWatch')
})

afterEach(() => vi.useRealTimers())

it('becomes quiet in a document in which no watch was begun', () => {
  const references = new References()
  expect(lookAtPage(document, references, { next: 1 }).quietMs).toBe(0)
  vi.advanceTimersByTime(150)
  expect(lookAtPage(document, references, { next: 1 }).quietMs).toBeGreaterThanOrEqual(150)
})

describe('a control that opens something', () => {
  const references = new References()
  const look = () => lookAtPage(document, references, { next: 1 })

  function press(html: string): HTMLElement {
    layOutPage()
    document.body.innerHTML = html
    const control = document.body.firstElementChild as HTMLElement
    beginWatch(document, control, true)
    return control
  }

  it.each(['<button aria-haspopup="listbox">City</button>', '<input role="combobox" aria-expanded="false">'])(
    'is waited for: %s',
    (html) => {
      const control = press(html)
      vi.advanceTimersByTime(300)
      expect(look()).toMatchObject({ quietMs: 0, isComing: true })
      control.setAttribute('aria-expanded', 'true')
      expect(look().isComing).toBe(false)
    },
  )

  it('is not waited for once its list is there, or for longer than a moment', () => {
    const control = press('<button aria-haspopup="listbox">City</button>')
    control.insertAdjacentHTML('afterend', '<div role="listbox">Graz</div>')
    expect(look().isComing).toBe(false)
    control.nextElementSibling?.remove()
    expect(look().isComing).toBe(true)
    vi.advanceTimersByTime(501)
    expect(look().isComing).toBe(false)
  })

  it.each(['<button>Save</button>', '<button aria-expanded="true">Details</button>'])('is none: %s', (html) => {
    press(html)
    vi.advanceTimersByTime(150)
    expect(look().quietMs).toBeGreaterThanOrEqual(150)
  })
})

it('waits for a list that is drawn again, and not for what moves since before the act', () => {
  document.body.innerHTML = '<button>City</button><div role="listbox">Graz</div>'
  layOutPage()
  const target = document.querySelector('[role="listbox"]')
  const animation = {
    playState: 'running',
    startTime: 500,
    effect: { target, getComputedTiming: () => ({ endTime: 9 }) },
  }
  Object.assign(document, { getAnimations: () => [animation], timeline: { currentTime: 400 } })
  beginWatch(document, document.querySelector('button'), true)
  const references = new References()
  expect(lookAtPage(document, references, { next: 1 })).toMatchObject({ quietMs: 0, isComing: true })
  animation.startTime = 300
  expect(lookAtPage(document, references, { next: 1 }).isComing).toBe(false)
  Object.assign(document, { getAnimations: undefined, timeline: undefined })
})
