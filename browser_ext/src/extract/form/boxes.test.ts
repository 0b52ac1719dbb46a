// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { formOf } from './page_form'

function form(html: string): string {
  document.body.innerHTML = html
  const anchors = [...document.querySelectorAll('a[href]')]
  return formOf(document.body, (anchor) => anchors.indexOf(anchor) + 1)
}

const card = (name: string, price: string) => `<div class="card"><h3><a href="/x">${name}</a></h3><p>${price}</p></div>`
const CARDS = ['Mill', 'Tamper', 'Scale', 'Jug'].map((name, index) => card(name, `${index + 1},00 €`))

describe('boxes of one kind', () => {
  it('are items, with a heading and an advertisement among them', () => {
    const lines = [
      '## For you',
      '- ### [Mill](l1)\n\n  1,00 €',
      '- ### [Tamper](l2)\n\n  2,00 €',
      '- ### [Scale](l3)\n\n  3,00 €',
      '- ### [Jug](l4)\n\n  4,00 €',
    ]
    expect(form(`<h2>For you</h2><div>${CARDS.join('')}<div></div></div>`)).toBe(lines.join('\n\n'))
  })

  it.each([
    ['a few', CARDS.slice(1).join('')],
    ['boxes of other kinds', CARDS.map((html, index) => html.replace('card', `card${index}`)).join('')],
    ['boxes without links', CARDS.join('').replaceAll('<a href="/x">', '<a>')],
    ['parts of a text', CARDS.map((html) => html.replace('</p>', `${' word'.repeat(150)}</p>`)).join('')],
    ['paragraphs', '<p><a href="/a">a</a> b</p>'.repeat(5)],
  ])('are not %s', (_what, html) => {
    expect(form(`<div>${html}</div>`)).not.toContain('- ')
  })
})
