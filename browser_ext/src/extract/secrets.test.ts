// @vitest-environment page
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { secretsOf } from './secrets'

const painted: string[] = []

beforeEach(() => {
  painted.length = 0
  vi.stubGlobal('chrome', { dom: { openOrClosedShadowRoot: () => null } })
  Range.prototype.getClientRects = function (this: Range) {
    painted.push(this.toString())
    return [new DOMRect(0, 0, 1, 1)] as unknown as DOMRectList
  }
})

function paintedOf(html: string): string[] {
  document.body.innerHTML = html
  secretsOf(document)
  return painted
}

function isPainted(field: string): boolean {
  document.body.innerHTML = field
  vi.spyOn(HTMLInputElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 9, 9))
  return secretsOf(document).length > 0
}

describe('of a page is painted over', () => {
  it('a number that is split over elements', () => {
    expect(
      paintedOf(
        '<p>Card <b style="display: inline">4111 1111</b> <i style="display: inline">1111 1111</i>, thanks</p>',
      ),
    ).toEqual(['4111 1111', ' ', '1111 1111'])
  })

  it('each code of a list below the word that tells of it', () => {
    const codes = ['k7qf-9x2m', 'p4zt-ww81', 'aa11-bb22', 'c3d4-e5f6', 'g7h8-i9j0', 'q1w2-e3r4']
    const items = codes.map((code) => `<li>${code}</li>`).join('')
    expect(paintedOf(`<h2>Backup codes</h2><ul>${items}</ul><p>See room b-12 too</p>`)).toEqual(codes)
  })

  it('a recovery phrase in a grid, word by word', () => {
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ')
    const cells = words.map((word, at) => `<div><span>${at + 1}</span> <b>${word}</b></div>`).join('')
    const all = paintedOf(`<p>Write down</p>${cells}<p>Then go on</p>`)
    expect(words.every((word) => all.includes(word))).toBe(true)
    expect(all.join(' ')).not.toContain('go on')
  })

  it('a secret beside a shadow tree, once, and what the tree holds', () => {
    document.body.innerHTML = '<div>Card 4111 1111 1111 1111 <section></section></div>'
    const host = document.querySelector('section')!
    host.attachShadow({ mode: 'open' }).innerHTML = '<i>SSN 536-90-4399</i>'
    const rootOf = (element: HTMLElement) => element.shadowRoot
    vi.stubGlobal('chrome', { dom: { openOrClosedShadowRoot: rootOf } })
    secretsOf(document)
    expect(painted).toEqual(['4111 1111 1111 1111', '536-90-4399'])
  })

  it('what stands far down a long page', () => {
    const long = `<p>${'Lever machines brew well. '.repeat(100)}</p>`.repeat(60)
    expect(paintedOf(`${long}<p>SSN 536-90-4399</p>`)).toEqual(['536-90-4399'])
  })

  it.each([
    '<input name="cardNumber" value="1">',
    '<label>Kontonummer <input value="1"></label>',
    '<input placeholder="Contraseña" value="1">',
    '<input autocomplete="one-time-code" value="1">',
    '<input aria-label="Notes" value="DE89 3704 0044 0532 0130 00">',
    '<label>Backup code <input value="k7qf-9x2m"></label>',
  ])('a field: %s', (field) => expect(isPainted(field)).toBe(true))

  it.each(['<input name="q" value="espresso">', '<label>City <input value="Leipzig"></label>'])(
    'no field: %s',
    (field) => expect(isPainted(field)).toBe(false),
  )
})
