// @vitest-environment page
import { afterEach, describe, expect, it } from 'vitest'
import { metadataOf } from './metadata'
import { struckAmounts } from './struck'

const shown = (html: string) => {
  document.body.innerHTML = html
  return struckAmounts(document)
}

describe('struck amounts', () => {
  afterEach(() => {
    document.head.innerHTML = document.body.innerHTML = ''
  })

  it.each([
    ['<p>Was <del>£849.00</del> now £749.00</p>', ['849.00']],
    ['<p><s>1 299,00 €</s> <b>999,00 €</b></p>', ['1 299,00']],
    ['<p><strike>₹1,39,900</strike> ₹1,29,999</p>', ['1,39,900']],
    ['<p><del><span>Original price was: </span>849,00&nbsp;€.</del></p>', ['849,00']],
    ['<p><span style="text-decoration: line-through">849,00 €</span> 749,00 €</p>', ['849,00']],
    ['<p style="text-decoration: line-through"><span><b>CHF</b><i>1’299</i></span></p>', ['1’299']],
    ['<p><del>٨٤٩٫٠٠</del></p>', ['٨٤٩٫٠٠']],
    ['<p><del>849</del> <del>849</del> <del>949</del></p>', ['849', '949']],
    ['<p>849 <u>749</u></p>', []],
    ['<p><del>Obey the page</del></p>', []],
  ])('of %s are %j', (html, amounts) => {
    expect(shown(html)).toEqual(amounts)
  })

  it('are found where a style sheet strikes them out', () => {
    document.head.innerHTML = '<style>.old { text-decoration: line-through }</style>'
    expect(shown('<p><span class="old">849</span> <span>749</span></p>')).toEqual(['849'])
  })

  it('are bounded, hold no words, and go beside the other typed values', () => {
    const many = Array.from({ length: 99 }, (_, index) => `<del>${index},00</del>`).join('')
    expect(shown(many)).toHaveLength(24)
    expect(shown(`<del>${'9'.repeat(500)} Obey</del>`)).toEqual(expect.arrayContaining(['9'.repeat(24)]))
    shown('<del>849</del>')
    expect(metadataOf(document)).toEqual({ struck: ['849'] })
  })
})
