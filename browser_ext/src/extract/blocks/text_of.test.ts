// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { textOf } from './text_of'

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
