// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { safeHtml, webAddress } from './safe_html'

const SERVER = 'http://127.0.0.1:8787'

function html(input: string): string {
  const holder = document.createElement('div')
  holder.append(safeHtml(input, SERVER))
  return holder.innerHTML
}

describe('HTML from the server', () => {
  it('keeps what Markdown makes', () => {
    const input =
      '<p>One <b>bold</b> <code>x</code></p><ul><li>a</li></ul><table><tbody><tr><td>1</td></tr></tbody></table>'
    expect(html(input)).toBe(input)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)></svg>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '<form action="https://evil.example"><input name=a></form>',
    '<style>*{display:none}</style>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<p style="position:fixed">x</p>',
    '<p id="composer" class="ask" data-decision="once">x</p>',
  ])('does nothing with %s', (input) => {
    expect(html(input)).not.toMatch(/script|onerror|onload|iframe|form|style|javascript|data|id=|class=|svg|math/i)
  })

  it('opens links apart, and tells them nothing', () => {
    expect(html('<a href="https://a.example/?b=1&amp;c=2" target="_top">x</a>')).toBe(
      '<a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
    expect(html('<a href="/thoughts/1/">x</a>')).toContain(`href="${SERVER}/thoughts/1/"`)
  })

  it.each([
    'javascript://x.example/%0aalert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    'blob:null/1',
    '/relative',
    '',
    'https://',
  ])('takes %s for no address of the web', (input) => expect(webAddress(input)).toBeNull())

  it.each([
    'https://evil.example/pixel.png',
    '//evil.example/pixel.png',
    '/images/1.png',
    'data:image/png;base64,AAAA',
  ])('loads no image, not %s', (src) => {
    expect(html(`<img src="${src}" alt="A cup">`)).toBe('')
  })
})
