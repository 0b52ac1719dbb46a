// @vitest-environment page
// jsdom has the cascade but no layout: every box is given here. The same page is tried in real browsers by the e2e
// tests.
import { beforeEach, describe, expect, it } from 'vitest'
import { visibleDocument } from './visible_copy'
import { atOnce } from '../slices'
import { textOf } from '../blocks/text_of'

interface Rect {
  left?: number
  top?: number
  width?: number
  height?: number
}

let rects: Map<string, Rect>

function rectOf(element: Element | null): DOMRect {
  const { left = 10, top = 10, width = 100, height = 20 } = rects.get(element?.id ?? '') ?? {}
  return { left, top, width, height, right: left + width, bottom: top + height } as DOMRect
}

/** Gives a window the layout that it lacks. */
function lay({ Element, Range }: typeof globalThis): void {
  Element.prototype.getBoundingClientRect = function () {
    return rectOf(this)
  }
  Element.prototype.checkVisibility = () => true
  Range.prototype.getBoundingClientRect = function () {
    return rectOf(this.startContainer.parentElement)
  }
}

beforeEach(() => {
  rects = new Map()
  lay(globalThis)
})

function textSeenIn(html: string, boxes: Record<string, Rect> = {}): string {
  rects = new Map(Object.entries(boxes))
  document.documentElement.innerHTML = `<head><title>t</title></head><body>${html}</body>`
  return textOf(atOnce(visibleDocument(document)).body)
}

describe('what a reader cannot see', () => {
  it.each([
    ['display none', '<p style="display:none">X</p>'],
    ['display none from a stylesheet', '<style>.h{display:none}</style><p class="h">X</p>'],
    ['hidden', '<p hidden>X</p>'],
    ['aria-hidden', '<p aria-hidden="true">X</p>'],
    ['invisible', '<p style="visibility:hidden">X</p>'],
    ['faint', '<p style="opacity:0.05">X</p>'],
    ['faint within faint', '<div style="opacity:0.3"><p style="opacity:0.3">X</p></div>'],
    ['filtered away', '<p style="filter:opacity(0)">X</p>'],
    ['tiny', '<p style="font-size:1px">X</p>'],
    ['transparent', '<p style="color:transparent">X</p>'],
    ['white on white', '<p style="color:#fff">X</p>'],
    ['nearly its background', '<p style="color:#111;background-color:#131313">X</p>'],
    ['clipped', '<p style="position:absolute;clip:rect(0px, 0px, 0px, 0px)">X</p>'],
    ['cut by a path', '<p style="clip-path:inset(50%)">X</p>'],
    ['code', '<script>X</script><style>X</style><noscript>X</noscript><template>X</template><!-- X -->'],
    ['a drawing', '<svg><text>X</text></svg>'],
    ['a form value', '<textarea>X</textarea><select><option>X</option></select><input value="X">'],
    ['scaled to nothing', '<p style="transform:matrix(0, 0, 0, 0, 0, 0)">X</p>'],
    ['turned away', '<p style="transform:matrix3d(1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1)">X</p>'],
    [
      'seen from behind',
      '<p style="backface-visibility:hidden;transform:matrix3d(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1)">X</p>',
    ],
    ['blurred', '<p style="font-size:16px;filter:blur(40px)">X</p>'],
    ['whitened by a filter', '<div style="filter:brightness(0) invert(1)"><p style="color:#111">X</p></div>'],
    [
      'painted with the colour of the page',
      '<p style="color:transparent;background-image:linear-gradient(rgb(255, 255, 255), rgb(254, 254, 254));background-clip:text">X</p>',
    ],
    ['in closed details', '<details>X<p>X</p></details>'],
    ['an attribute', '<img alt="X" title="X"><p title="X" aria-label="X" data-x="X"></p>'],
  ])('is left out: %s', (_why, html) => {
    expect(textSeenIn(`<p>Seen</p>${html}`)).toBe('Seen')
  })

  it.each([
    ['left of the page', { left: -9999 }],
    ['above the page', { top: -5000 }],
    ['far to the right', { left: 99_999 }],
    ['without size', { width: 0, height: 0 }],
    ['one pixel high', { height: 1 }],
  ])('is left out: %s', (_why, rect) => {
    expect(textSeenIn('<p>Seen</p><p id="x">X</p>', { x: rect })).toBe('Seen')
  })

  it('is what an ancestor cuts off, unless it can be scrolled to', () => {
    const boxes = { box: {}, x: { top: 300 } }
    const within = (style: string) =>
      textSeenIn(`<p>Seen</p><div id="box" style="${style}"><p id="x">X</p></div>`, boxes)
    expect(within('overflow:hidden')).toBe('Seen')
    expect(within('overflow:auto hidden')).toBe('Seen')
    expect(within('overflow:hidden auto')).toBe('Seen\n\nX')
    expect(within('overflow:auto')).toBe('Seen\n\nX')
  })

  it('is what scrolls into a window that is too small to read through', () => {
    const boxes = { box: { height: 4 }, x: { top: 300 } }
    expect(textSeenIn('<p>Seen</p><div id="box" style="overflow:auto"><p id="x">X</p></div>', boxes)).toBe('Seen')
  })

  it('is what lies before the beginning of what scrolls', () => {
    const boxes = { box: { top: 500, left: 500 }, x: { top: 400, left: 500 }, y: { top: 500, left: 300 } }
    const html = '<p>Seen</p><div id="box" style="overflow:auto"><p id="x">X</p><p id="y">Y</p></div>'
    expect(textSeenIn(html, boxes)).toBe('Seen')
  })
})

describe('what a reader can see', () => {
  it.each([
    [
      'a visible part of something invisible',
      '<div style="visibility:hidden"><p style="visibility:visible">Seen</p></div>',
    ],
    ['light text on dark', '<div style="background-color:#111"><p style="color:#eee">Seen</p></div>'],
    [
      'text that a gradient paints',
      '<h1 style="color:transparent;background-image:linear-gradient(rgb(200, 0, 0), rgb(90, 0, 60));background-clip:text"><b>Seen</b></h1>',
    ],
    [
      'text under a filter of its own box',
      '<div style="filter:invert(1)"><p style="background-color:#fff;color:#000">Seen</p></div>',
    ],
    ['a little blur', '<p style="font-size:16px;filter:blur(1px)">Seen</p>'],
    ['text over a background picture', '<div style="background-image:url(x.png)"><p style="color:#fff">Seen</p></div>'],
    ['text that does not fill its tiny parent', '<div style="font-size:0"><p style="font-size:16px">Seen</p></div>'],
  ])('stays: %s', (_what, html) => {
    expect(textSeenIn(html)).toBe('Seen')
  })

  it('is what scrolls within a part that cuts off the rest of the page', () => {
    const boxes = { app: {}, main: {}, x: { top: 900 }, y: { top: 900 } }
    const main = '<div id="main" style="overflow:auto"><p id="x">Seen</p></div>'
    expect(textSeenIn(`<div id="app" style="overflow:hidden">${main}<p id="y">Y</p></div>`, boxes)).toBe('Seen')
  })

  it('is what a conversation scrolls up to', () => {
    const style = 'overflow:auto;display:flex;flex-direction:column-reverse'
    expect(textSeenIn(`<div id="box" style="${style}"><p id="x">Seen</p></div>`, { box: { top: 500 }, x: {} })).toBe(
      'Seen',
    )
  })

  it('includes white text that lies over a picture', () => {
    const boxes = { pic: { width: 300, height: 200 } }
    expect(textSeenIn('<img id="pic"><p style="color:#fff">Seen</p>', boxes)).toBe('Seen')
  })

  it('is an open shadow tree with what it takes in, and not what it leaves out', () => {
    document.documentElement.innerHTML = '<body><x-card>guest<i slot="no">X</i></x-card></body>'
    const shadow = document.querySelector('x-card')?.attachShadow({ mode: 'open' })
    if (shadow) shadow.innerHTML = '<p>Shown</p><p style="display:none">X</p><slot></slot>'
    expect(textOf(atOnce(visibleDocument(document)).body)).toBe('Shown\n\nguest')
  })

  it.each([
    ['', 'Before\nWithin'],
    ['display:none', 'Before'],
    ['visibility:hidden', 'Before'],
    ['opacity:0', 'Before'],
  ])('is what stands in a frame of the same origin, as far as the frame is seen: %s', (style, expected) => {
    document.documentElement.innerHTML = `<body><div>Before</div><iframe style="${style}">X</iframe></body>`
    const inner = document.querySelector('iframe')?.contentDocument
    if (inner?.defaultView) lay(inner.defaultView)
    if (inner) inner.body.innerHTML = '<p>Within</p><p style="display:none">X</p>'
    expect(textOf(atOnce(visibleDocument(document)).body).replace(/\n+/g, '\n')).toBe(expected)
  })
})

describe('a page that changes while it is read', () => {
  const rows = (from: number) => Array.from({ length: 30 }, (_, number) => `<p>Row ${from + number}</p>`).join('')

  /** Copies the page, which redraws itself at each of the given pauses. */
  function readWhile(redraws: number): string {
    document.body.innerHTML = rows(0)
    const work = visibleDocument(document)
    for (let pauses = 1, step = work.next(); ; step = work.next(), pauses++) {
      if (step.done) return textOf(step.value.body)
      if (pauses % 3 === 0 && pauses / 3 <= redraws) document.body.innerHTML = rows(100 * (pauses / 3))
    }
  }

  it('is read as it is in the end, not as the half that was left of what it was', () => {
    const text = readWhile(1)
    expect(text.match(/Row \d+/g)).toHaveLength(30)
    expect(text).toContain('Row 129')
  })

  it('is read as far as may be where it never stops', () => {
    expect(readWhile(1000)).toContain('Row ')
  })
})
