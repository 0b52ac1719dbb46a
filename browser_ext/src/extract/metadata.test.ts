// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { asciiJsonBytes, metadataOf } from './metadata'

const page = (html: string) => new DOMParser().parseFromString(html, 'text/html')
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

describe('metadata', () => {
  it('is what the page says of itself in the three common ways', () => {
    const found = metadataOf(
      page(`<meta property="og:title" content=" A  title "><meta property="og:title" content="second"><meta property="fb:x" content="no">
        ${ld({ '@type': 'Product' })}${ld([1, 2])}<script type="application/ld+json">{broken</script>
        <div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Lever</span>
          <div itemprop="offers" itemscope><meta itemprop="price" content="429"><time itemprop="when" datetime="2026-01-01">x</time></div></div>`),
    )
    expect(found).toEqual({
      json_ld: [{ '@type': 'Product' }, 1, 2],
      open_graph: { 'og:title': 'A title' },
      microdata: [
        {
          type: 'https://schema.org/Product',
          properties: { name: 'Lever', offers: { type: '', properties: { price: '429', when: '2026-01-01' } } },
        },
      ],
    })
  })

  it('is left out when there is none', () => {
    expect(metadataOf(page('<p>x</p>'))).toBeNull()
  })

  it('gives up the larger parts when it would not fit', () => {
    const title = '<meta property="og:title" content="A">'
    expect(metadataOf(page(title + ld('ü'.repeat(12_000))))).toEqual({ json_ld: [], open_graph: { 'og:title': 'A' }, microdata: [] })
  })

  it('is measured as the server does', () => {
    expect(asciiJsonBytes({ json_ld: ['ü', 1] })).toBe('{"json_ld": ["\\u00fc", 1]}'.length)
  })
})
