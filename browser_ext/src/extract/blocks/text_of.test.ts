// @vitest-environment page
import { expect, it } from 'vitest'
import { atOnce } from '../slices'
import { textInSlices, textOf } from './text_of'

const text = (html: string) => textOf(new DOMParser().parseFromString(html, 'text/html').body)

it.each([
  ['<h1>A</h1><p>b  <b>c</b>\n d</p>', 'A\n\nb c d'],
  ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['<ul><li><p>one</p></li><li><p>two</p></li></ul>', '- one\n\n- two'],
  ['<div>a</div><div>b</div>', 'a\nb'],
  ['a<br>b', 'a\nb'],
  ['<table><tr><th>Year</th><th>Price</th></tr><tr><td>2025</td><td>429</td></tr></table>', 'Year Price\n2025 429'],
  ['<p>a<script>x</script><style>y</style></p>', 'a'],
])('%s reads as lines', (html, expected) => {
  expect(text(html)).toBe(expected)
})

it('of a large page reads the same in slices', () => {
  const part =
    '<section><h2>A</h2> b <p>c <b>d</b></p><ul><li>e<li><p>f</p></ul><table><tr><td>g<td>h</table></section>'
  const page = new DOMParser().parseFromString(`x<div><div>${part.repeat(100)}</div> y </div>`, 'text/html')
  expect(atOnce(textInSlices(page.body))).toBe(textOf(page.body))
  expect([...textInSlices(page.body)].length).toBeGreaterThan(100)
})
