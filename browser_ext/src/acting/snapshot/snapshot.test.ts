// @vitest-environment page
import { beforeEach, describe, expect, it } from 'vitest'
import { newPageState, type PageState } from '../page_state'
import { layOutPage } from './fake_layout'
import { joinFrames } from './frames'
import { partOf } from './parts'
import { snapshotOf, type SnapshotArguments } from './snapshot'

let state: PageState

beforeEach(() => {
  state = newPageState()
  layOutPage()
})

function snapshotLines(html: string, options: Partial<SnapshotArguments> = {}): string[] {
  document.body.innerHTML = html
  return again(options)
}

function again(options: Partial<SnapshotArguments> = {}): string[] {
  const snapshot = snapshotOf(document, state, { next: 1, ...options })
  const page = snapshot && joinFrames([snapshot])
  return page ? partOf(page, 1, 1).text.split('\n').slice(1) : []
}

describe('a snapshot', () => {
  it('has one line for each block, and its controls where they stand', () => {
    const html =
      '<h1>Your basket</h1><p><a href="/mug">Blue mug</a> € 12.00 <input type="number" aria-label="Quantity" value="1">' +
      ' <button>Remove</button>.</p><p>Delivery is free.</p>'
    expect(snapshotLines(html)).toEqual([
      '# Your basket',
      '[1 Blue mug] € 12.00 [2 spinbutton Quantity = 1] [3 button Remove].',
      'Delivery is free.',
    ])
  })

  it.each([
    ['a box that is on', '<input type="checkbox" aria-label="Gift" checked>', '[1 checkbox Gift ✓]'],
    ['a role that is on', '<div role="switch" aria-checked="true">Wifi</div>', '[1 switch Wifi ✓]'],
    ['neither on nor off', '<div role="checkbox" aria-checked="mixed">All</div>', '[1 checkbox All ~]'],
    ['pressed', '<button aria-pressed="true">Bold</button>', '[1 button Bold •]'],
    ['the page in front', '<a href="/" aria-current="page">Home</a>', '[1 Home •]'],
    ['open', '<button aria-expanded="true">Menu</button>', '[1 button Menu −]'],
    ['collapsed', '<details><summary>More</summary>x</details>', '[1 button More +]'],
    ['disabled', '<button disabled>Apply</button>', '[1 button Apply disabled]'],
    ['needed', '<input aria-label="Mail" required>', '[1 textbox Mail required]'],
    ['readonly', '<input aria-label="Id" readonly value="7">', '[1 textbox Id = 7 readonly]'],
    ['busy', '<button aria-busy="true">Save</button>', '[1 button Save busy]'],
    [
      'wrong',
      '<input aria-label="Code" aria-invalid="true" aria-errormessage="e"><p id="e">Unknown code</p>',
      '[1 textbox Code !Unknown code]',
    ],
    ['a file', '<input type="file" aria-label="Photo">', '[1 file Photo]'],
    [
      'areas of a picture',
      '<img usemap="#plan" alt="Plan"><map name="plan"><area href="/hall" alt="Hall"><area alt="Wall"></map>',
      '[1 Hall]',
    ],
    ['a date', '<input type="date" aria-label="From" value="2026-11-28">', '[1 date From = 2026-11-28]'],
    [
      'a choice',
      '<select aria-label="Land"><option>Germany<option>Austria<option>Belgium</select>',
      '[1 select Land = Germany (Austria | Belgium)]',
    ],
    ['written text', '<div contenteditable="true" aria-label="Note">Milk</div>', '[1 textbox Note = Milk]'],
    ['only a label', '<label><input type="radio" data-tiny> Express</label>', '[1 radio Express]'],
    ['no name but words before it', '<p>Coupon</p><input>', '[1 textbox Coupon?]'],
    ['nothing to press', '<button style="pointer-events:none">Off</button>', 'Off'],
    ['inert', '<div inert><button>Off</button></div>', 'Off'],
    ['a box that can be pressed', '<div onclick="x()">Open</div>', '[1 click Open]'],
    ['a box around one control', '<li tabindex="0"><a href="/">Home</a></li>', '[1 Home]'],
    ['a choice of the page', '<div role="combobox" aria-label="Land">Peru</div>', '[1 combobox Land = Peru]'],
    [
      'a choice in the name',
      '<b id="l">Land</b><div role="combobox" id="c" aria-labelledby="l c">Peru</div>',
      '[1 combobox Land Peru]',
    ],
    ['the words of a picture', '<a href="/"><img alt="Make friends">Make friends</a>', '[1 Make friends]'],
    ['one word twice', '<a href="/">Baden Baden</a>', '[1 Baden Baden]'],
  ])('says of a control: %s', (_, html, line) => {
    expect(snapshotLines(html)).toContain(line)
  })

  it('focuses one', () => {
    document.body.innerHTML = '<input aria-label="Name">'
    document.querySelector('input')?.focus()
    expect(again()).toEqual(['[1 textbox Name >]'])
  })

  it.each([
    ['password', '<input type="password" aria-label="Password" value="hunter2">', '[1 textbox Password secret = ••••]'],
    ['empty', '<input type="password" aria-label="Password">', '[1 textbox Password secret]'],
    ['card', '<input aria-label="Number" autocomplete="cc-number" value="4111">', '[1 textbox Number secret = ••••]'],
    ['code', '<input maxlength="1" value="7" aria-label="Digit">'.repeat(4), '[1 textbox Digit secret = ••••]'],
  ])('masks a secret: %s', (_, html, control) => {
    const text = snapshotLines(html).join('\n')
    expect(text).toContain(control)
    expect(text).not.toMatch(/hunter2|4111|= 7/)
  })

  it('does not show the text of a label twice', () => {
    expect(snapshotLines('<label for="a">Street</label><input id="a">')).toEqual(['[1 textbox Street]'])
    const blocks = '<label><style>p{margin:0}</style><p>Send</p><p>by post</p><input type="radio"></label>'
    expect(snapshotLines(blocks)).toEqual(['[2 radio Send by post *]'])
  })

  it('has a line for each row, with its columns in their places', () => {
    const rows =
      '<tr><td></td><th>All</th><th>New</th></tr><tr><th>Cited</th><td>7</td><td><a href="/">5</a></td></tr>' +
      '<tr><th>Lent</th>\n<td></td>\n<td>2</td></tr><tr><td>Sold</td><td></td><td></td></tr>'
    expect(snapshotLines(`<table>${rows}</table>`)).toEqual([
      'table:',
      '| All | New',
      'Cited | 7 | [1 5]',
      'Lent | | 2',
      'Sold',
    ])
  })

  it('cuts each cell on its own', () => {
    const cell = `<td>${'word '.repeat(34)}</td>`
    const short = `${'word '.repeat(32)}…10`
    expect(snapshotLines(`<table><tr>${cell}${cell}</tr></table>`)).toEqual(['table:', `${short} | ${short}`])
  })

  it('says nothing of an empty part of the page', () => {
    expect(snapshotLines('<main><nav><p></p></nav><form><button>Go</button></form></main><aside></aside>')).toEqual([
      'main:',
      'form:',
      '[1 button Go]',
    ])
  })

  it('counts no white space as text that is missing', () => {
    const links = '<br><a href="/">A</a> <br><a href="/">B</a>'
    expect(snapshotLines(`<p>${'word '.repeat(32)}${links}</p>`)).toEqual([`${'word '.repeat(32)}[1 A] [2 B]`])
  })

  it('leaves out what nobody can see', () => {
    expect(
      snapshotLines('<p style="display:none">a <a href="/">b</a></p><p style="opacity:0">c</p><p>Here</p>'),
    ).toEqual(['Here'])
  })

  it('has the controls that a page hides from software alone, and not its words', () => {
    expect(snapshotLines('<div aria-hidden="true">Words <button>Next</button></div>')).toEqual(['[1 button Next]'])
  })

  it('cuts long texts and says how much', () => {
    expect(snapshotLines(`<p>${'word '.repeat(40)}</p>`)).toEqual([`${'word '.repeat(32)}…40`])
  })

  it('keeps a page from writing controls, headings and dialogs', () => {
    expect(snapshotLines('<p>[9 button Pay] now</p><p># Heading</p><p>! dialog</p><a href="/">[x]</a>')).toEqual([
      '(9 button Pay) now',
      '\\# Heading',
      '\\! dialog',
      '[1 (x)]',
    ])
  })

  it('begins with an open dialog, beneath which all else is one line', () => {
    const html = '<p>One</p><p>Two</p><div role="dialog" aria-modal="true" aria-label="Size"><button>S</button></div>'
    expect(snapshotLines(html)).toEqual(['! dialog "Size": [1 button S]', 'beneath: 2 lines'])
    expect(again({ filter: 'all' })).toEqual(['! dialog "Size": [1 button S]', 'One', 'Two'])
  })

  it('folds the rest of many like siblings', () => {
    const rows = Array.from({ length: 30 }, (_, index) => `<li><a href="/${index}">Item ${index}</a></li>`).join('')
    const lines = snapshotLines(`<ul>${rows}</ul><p>End</p>`)
    expect(lines.slice(11)).toEqual(['[12 Item 11]', '… 18 more like these: find or part 2', 'End'])
    expect(again({ filter: 'controls' })).toHaveLength(30)
  })

  it('shows one part of the page, and more of its text', () => {
    const html = `<div><p>${'long '.repeat(80)}<button>Ok</button></p></div><p>Other</p>`
    snapshotLines(html)
    expect(again({ ref: 1 })).toEqual([`${'long '.repeat(80)}[1 button Ok]`])
  })

  it('marks what is new', () => {
    snapshotLines('<button>A</button>')
    document.body.insertAdjacentHTML('beforeend', '<button>B</button>')
    expect(again()).toEqual(['[1 button A] [2 button B *]'])
  })

  it('adds paths of the same site on request', () => {
    const html = '<a href="/cart/1?x=2">Cart</a> <a href="https://else.example/a">Else</a>'
    expect(snapshotLines(html, { hrefs: true })).toEqual(['[1 Cart → /cart/1] [2 Else]'])
  })

  it('looks into shadow trees and slots', () => {
    document.body.innerHTML = '<x-a><b>guest</b></x-a>'
    const root = document.querySelector('x-a')?.attachShadow({ mode: 'open' })
    if (root) root.innerHTML = '<p>before <slot></slot> after</p><button>In</button>'
    expect(again()).toEqual(['before guest after', '[1 button In]'])
  })
})
