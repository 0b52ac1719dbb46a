// @vitest-environment page
import { beforeEach, describe, expect, it } from 'vitest'
import { randomNumbers } from './fake_random'
import { References } from './references'

let references: References

beforeEach(() => {
  document.body.replaceChildren()
  references = new References()
})

function added(tag = 'button'): Element {
  return document.body.appendChild(document.createElement(tag))
}

describe('a reference', () => {
  it('is the same for the same element, and leads to it', () => {
    const button = added()
    const ref = references.numberOf(button)
    expect(references.numberOf(button)).toBe(ref)
    expect(references.elementOf(ref)).toBe(button)
  })

  it('leads nowhere once its element is gone', () => {
    const button = added()
    const ref = references.numberOf(button)
    button.remove()
    expect(references.elementOf(ref)).toBeNull()
  })

  it('is the same in a copy, whose new ones are not known outside of it', () => {
    const [old, young] = [added(), added()]
    const ref = references.numberOf(old)
    const copy = references.copy()
    expect([copy.numberOf(old), copy.numberOf(young), copy.elementOf(ref)]).toEqual([ref, ref + 1, old])
    expect([references.next, references.elementOf(ref + 1)]).toEqual([ref + 1, null])
  })

  it('goes on where the tab has counted to', () => {
    references.continueFrom(41)
    expect(references.numberOf(added())).toBe(41)
    expect(references.next).toBe(42)
  })

  it('is never used twice, though the counter comes back from an earlier time', () => {
    references.continueFrom(41)
    references.numberOf(added())
    references.continueFrom(3)
    expect(references.numberOf(added())).toBe(42)
  })

  it('stays through 200 drawings that move their elements', () => {
    const items = Array.from({ length: 20 }, () => added('li'))
    const refs = items.map((item) => references.numberOf(item))
    for (let drawing = 0; drawing < 200; drawing++) {
      const order = items.map((item, index) => ({ item, place: (index * 7 + drawing) % items.length }))
      order.sort((a, b) => a.place - b.place)
      document.body.replaceChildren(...order.map(({ item }) => item))
      expect(items.map((item) => references.numberOf(item))).toEqual(refs)
    }
  })

  it('never names another element, whatever 2,000 changes do', () => {
    const random = randomNumbers(7)
    const names = new Map<number, Element>()
    const removed: Element[] = []
    for (let change = 0; change < 2_000; change++) {
      const present = childrenOf(document.body)
      const target = present[Math.floor(random() * present.length)]
      const kind = random()
      if (!target || kind < 0.35) added('b')
      else if (kind < 0.6) removed.push(detached(target))
      else if (kind < 0.75) target.replaceWith(target.cloneNode(true))
      else if (kind < 0.9) document.body.prepend(target)
      else document.body.append(...removed.splice(0, 1))
      for (const element of childrenOf(document.body)) {
        const ref = references.numberOf(element)
        if ((names.get(ref) ?? element) !== element) expect.fail(`ref ${ref} has a second element`)
        names.set(ref, element)
      }
      for (const [ref, element] of names)
        if (references.elementOf(ref) !== (element.isConnected ? element : null)) expect.fail(`ref ${ref} is wrong`)
    }
    expect(names.size).toBeGreaterThan(300)
  })
})

function detached(element: Element): Element {
  element.remove()
  return element
}

/** Return the children without jsdom's live list, which is made anew for each look at it after a change. */
function childrenOf(parent: Element): Element[] {
  const children: Element[] = []
  for (let child = parent.firstElementChild; child; child = child.nextElementSibling) children.push(child)
  return children
}
