// @vitest-environment page
// jsdom lays nothing out: every box is given here, and what has no display has none. Real browsers try the same by the
// e2e tests.
import { beforeEach, describe, expect, it } from 'vitest'
import { readableDocument, visibleDocument } from './visible_copy'
import { atOnce } from '../slices'
import { textOf } from '../blocks/text_of'

const LONG = 'The boiler recovers in fifty-five seconds, and the shot after it runs as long as the one before. '

beforeEach(() => {
  const box = (element: Element | null) => {
    const [left, width] = isClosed(element) ? [0, 0] : [Number(element?.getAttribute('data-left') ?? 10), 100]
    return { left, top: 10, width, height: width / 5, right: left + width, bottom: 10 + width / 5 } as DOMRect
  }
  Element.prototype.getBoundingClientRect = function () {
    return box(this)
  }
  Range.prototype.getBoundingClientRect = function () {
    return box(this.startContainer.parentElement)
  }
  Element.prototype.checkVisibility = function () {
    return !isClosed(this) && getComputedStyle(this).visibility === 'visible'
  }
})

function isClosed(element: Element | null): boolean {
  return element !== null && (getComputedStyle(element).display === 'none' || isClosed(element.parentElement))
}

function setBody(html: string): void {
  document.documentElement.innerHTML = `<head><title>t</title><style>[hidden]{display:none}</style></head><body>${html}</body>`
}

function read(html: string): string {
  setBody(html)
  return textOf(atOnce(readableDocument(document)).visible.body).replace(/\n+/g, ' ')
}

describe('what is closed is read', () => {
  it.each([
    ['details', '<details><summary>Opens</summary><p>In</p></details>'],
    [
      'a panel that a button names',
      '<button aria-controls="p" aria-expanded="false">Opens</button><div id="p" hidden>In</div>',
    ],
    [
      'the panel of a tab',
      '<a role="tab" href="#p">Opens</a><div role="tabpanel" id="p" style="display:none">In</div>',
    ],
    [
      'a panel that a tab labels',
      '<b role="tab" id="t">Opens</b><div role="tabpanel" aria-labelledby="t" hidden>In</div>',
    ],
    [
      'what a framework’s toggle opens',
      '<a data-bs-toggle="collapse" href="#p">Opens</a><div id="p" style="display:none">In</div>',
    ],
    [
      'what stands right below a collapsed line',
      '<h3><button aria-expanded="false">Opens</button></h3><div aria-hidden="true">In</div>',
    ],
    [
      'what is only invisible',
      '<button aria-controls="p">Opens</button><div id="p" style="visibility:hidden"><p>In</p></div>',
    ],
  ])('where something that is seen opens it: %s', (_what, html) => {
    expect(read(html)).toBe('Opens In')
    expect(textOf(atOnce(visibleDocument(document)).body)).toBe('Opens')
  })

  it.each([
    ['nothing opens it', '<p>Out</p><div id="p" hidden>X</div>'],
    [
      'what opens it is not seen',
      '<p>Out</p><button aria-controls="p" style="display:none">X</button><div id="p" hidden>X</div>',
    ],
    [
      'what opens it lies outside the page',
      '<p>Out</p><button data-left="-9999" aria-controls="p">X</button><div id="p" hidden>X</div>',
    ],
    ['it is a menu', '<button aria-controls="p" aria-haspopup="true">Out</button><div id="p" hidden>X</div>'],
    ['it is a part of the navigation', '<p>Out</p><nav><details><summary></summary><p>X</p></details></nav>'],
    ['it is a dialog', '<button data-toggle="modal" data-target="#p">Out</button><div id="p" hidden>X</div>'],
    ['nothing names it by a press', '<p aria-controls="p">Out</p><div id="p" hidden>X</div>'],
    ['its summary says nothing', '<p>Out</p><details><p>X</p></details>'],
  ])('but not where %s', (_why, html) => {
    expect(read(html)).toBe('Out')
  })

  it.each([
    'hidden', 'aria-hidden="true"', 'style="display:none"', 'style="opacity:0"', 'style="font-size:1px"', 'style="color:#fff"', 'style="position:absolute;left:-9999px"',
    'style="text-indent:-9999px"', 'style="position:absolute;clip:rect(0px, 0px, 0px, 0px)"', 'style="overflow:hidden;height:0px"', 'style="visibility:collapse"',
    'style="transform:matrix(0, 0, 0, 0, 0, 0)"',
  ])('without what stays hidden in it: %s', (hidden) => {
    expect(read(`<button aria-controls="p">Opens</button><div id="p" hidden><p>In</p><p ${hidden}>X</p><script>X</script></div>`)).toBe('Opens In')
  }) // prettier-ignore
})

describe('a page behind a cover', () => {
  const behind = (html: string) => {
    setBody(html)
    const { visible, isBehindCover } = atOnce(readableDocument(document))
    return [isBehindCover, (visible.body.textContent ?? '').includes('boiler')]
  }
  const long = `<p>${LONG.repeat(15)}</p>`

  it.each(['hidden', 'style="display:none"', 'style="visibility:hidden"', 'style="opacity:0"'])(
    'is read all the same: %s',
    (hidden) => {
      expect(behind(`<header>Beans and more</header><main ${hidden}>${long}</main>`)).toEqual([true, true])
    },
  )

  it('is one that shows next to nothing', () => {
    expect(
      behind(
        `<article>${'Words that can be read, many of them, one after the other. '.repeat(15)}</article><main hidden>${long}</main>`,
      ),
    ).toEqual([false, false])
  })

  it('is hidden by one element, not by many here and there', () => {
    expect(behind(`<header>Beans</header>${`<p hidden>${LONG.repeat(2)}</p>`.repeat(9)}`)).toEqual([false, false])
  })

  it('has more behind it than a few words', () => {
    expect(behind(`<header>Beans</header><main hidden><p>${LONG}</p></main>`)).toEqual([false, false])
  })

  it('keeps hidden what is hidden behind it', () => {
    expect(
      behind(
        `<main hidden><p>${'Words that stand behind it, many of them, one after the other. '.repeat(20)}</p><p style="display:none">${LONG}</p></main>`,
      ),
    ).toEqual([true, false])
  })
})
