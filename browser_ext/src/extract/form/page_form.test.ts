// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { formInSlices, formOf, numberItems } from './page_form'

function form(html: string): string {
  document.body.innerHTML = html
  const anchors = [...document.querySelectorAll('a[href]:not([href^="#"])')]
  return formOf(document.body, (anchor) => anchors.indexOf(anchor) + 1 || null)
}

describe('the form of a page keeps', () => {
  it.each([
    ['headings', '<h1>A</h1><p>b</p><h3>C <i>d</i></h3>', '# A\n\nb\n\n### C d'],
    ['lists', '<ul><li>a<li><p>b</p><ul><li>c</ul></ul>', '- a\n- b\n\n  - c'],
    ['numbers of lists', '<ol start=3><li>a<li value=7>b<li>c</ol>', '3. a\n7. b\n8. c'],
    ['lists that count down', '<ol reversed><li>a<li>b</ol>', '2. a\n1. b'],
    ['quotations', '<p>a</p><blockquote><p>b</p><p>c</p></blockquote>d', 'a\n\n> b\n>\n> c\n\nd'],
    ['line breaks', 'one<br>two<br><br>three', 'one\ntwo\nthree'],
    ['code in a line', '<p>Run <code>npm  i</code> now</p>', 'Run `npm i` now'],
    [
      'links',
      '<p>See <a href=/a>the <b>report</b> </a>now, <a href=#x>below</a>.</p>',
      'See [the report](l1) now, below.',
    ],
    ['links around blocks', '<a href=/a><h3>Title</h3><p>Words</p></a>', '### [Title](l1)\n\nWords'],
    ['links in headings and lists', '<ul><li><a href=/a>a</a>: x</ul>', '- [a](l1): x'],
    ['ruby', '<ruby>漢字<rt>かんじ</rt></ruby>', '漢字(かんじ)'],
    ['pictures that stand for words', '<p>Rated <img alt="4 of 5"> by all</p>', 'Rated ![4 of 5] by all'],
    ['pictures that are links', '<a href=/a><img alt="Penny"></a>', '[![Penny]](l1)'],
    ['no other pictures', '<p>a</p><div><img alt="A dog"></div><h2><img alt=x></h2>', 'a'],
    ['what is in a line of its own apart', '<p><b data-own-line>Price</b><i data-own-line>12</i></p>', 'Price 12'],
    ['the lines of a post', '<div data-as-written>one\ntwo <a href=/a>three</a></div>', 'one\ntwo [three](l1)'],
  ])('%s', (_what, html, expected) => {
    expect(form(html)).toBe(expected)
  })
})

describe('code keeps its spaces', () => {
  it.each([
    [
      'indentation',
      '<pre><code class=language-python>def a():\n    return  1\n\n\nb</code></pre>',
      '```python\ndef a():\n    return  1\n\n\nb\n```',
    ],
    ['line breaks', '<pre>a<br>  b</pre>', '```\na\n  b\n```'],
    [
      'lines in boxes',
      '<pre><code><span data-own-line>a</span><span data-own-line> b</span></code></pre>',
      '```\na\n b\n```',
    ],
    ['a fence within it', '<pre>```\na\n```</pre>', '````\n```\na\n```\n````'],
    ['a quotation and a list around it', '<ul><li>a<pre>b\n c</pre></ul>', '- a\n\n  ```\n  b\n   c\n  ```'],
    ['code that is no PRE', '<div data-as-written>if a:\n  b</div>', '```\nif a:\n  b\n```'],
    ['the tail of a line only', '<pre>a  \n\tb</pre>', '```\na\n\tb\n```'],
  ])('%s', (_what, html, expected) => {
    expect(form(html)).toBe(expected)
  })

  it('and loses the numbers of its lines', () => {
    expect(form('<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>')).toBe('```\na\nb\n```')
  })
})

describe('the numbers of a list', () => {
  it('stay those of the page where items are left out', () => {
    document.body.innerHTML = '<ol><li>a<li>b<li>c</ol>'
    numberItems(document.body)
    document.querySelector('li:nth-child(2)')?.remove()
    expect(formOf(document.body, () => null)).toBe('1. a\n3. c')
  })
})

describe('raised and lowered text', () => {
  it.each([
    ['$12<sup>99</sup>', '$12.99'],
    ['12<sup>99</sup> €', '12.99 €'],
    ['12<sup>,99</sup> €', '12,99 €'],
    ['CHF 12<sup>95</sup>', 'CHF 12.95'],
    ['12<sup>99 €</sup>', '12.99 €'],
    ['10<sup>6</sup> shots', '10^6 shots'],
    ['10<sup>-3</sup>', '10^-3'],
    ['x<sup>n+1</sup>', 'x^(n+1)'],
    ['E = mc<sup>2</sup>', 'E = mc^2'],
    ['95<sup><a href="#n1">1</a></sup> of them', '95[^1] of them'],
    ['95<sup>[1]</sup> of them', '95[^1] of them'],
    ['so<sup>*</sup> it is', 'so* it is'],
    ['the 1<sup>st</sup> and 2<sup>nd</sup>', 'the 1st and 2nd'],
    ['Le 1<sup>er</sup> mai, M<sup>me</sup> Roux', 'Le 1er mai, Mme Roux'],
    ['Foo<sup>TM</sup>, Bar<sup>®</sup>', 'FooTM, Bar®'],
    ['Python<sup>beta</sup>', 'Python beta'],
    ['2<sup>1</sup>/<sub>2</sub> cups', '2 1/2 cups'],
    ['<sup>1</sup>⁄<sub>2</sub>', '1⁄2'],
    ['CO<sub>2</sub>, H<sub>2</sub>O', 'CO2, H2O'],
    ['1011<sub>2</sub>', '1011_2'],
    ['V<sub>max</sub>', 'V_max'],
    [
      '<math><mfrac><mn>1</mn><mn>23</mn></mfrac><msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup></math>',
      '1/23x^(n+1)',
    ],
  ])('%s', (html, expected) => {
    expect(form(`<p>${html}</p>`)).toBe(expected)
  })
})

describe('a table', () => {
  it.each([
    ['has a row of headers', '<table><tr><th>A<th>B<tr><td>1<td>2</table>', '| A | B |\n|---|---|\n| 1 | 2 |'],
    ['may have none', '<table><tr><th>A<td>1<tr><th>B<td>2</table>', '| A | 1 |\n| B | 2 |'],
    [
      'has a head and a caption',
      '<table><caption>C</caption><thead><tr><td>A<td>B<tbody><tr><td>1<td>2</table>',
      'C\n\n| A | B |\n|---|---|\n| 1 | 2 |',
    ],
    [
      'keeps the places of cells',
      '<table><tr><td colspan=2>1<td>2<tr><td>3<td><td>a|b</table>',
      '| 1 |  | 2 |\n| 3 |  | a\\|b |',
    ],
    [
      'joins the lines of a cell',
      '<table><tr><td>a<br>b<td><ul><li>c<li>d</ul><tr><td>1<td>2</table>',
      '| a b | c d |\n| 1 | 2 |',
    ],
    [
      'has no headings in its cells',
      '<table><tr><th><h3>A</h3><th>B<tr><td>1<td>2</table>',
      '| A | B |\n|---|---|\n| 1 | 2 |',
    ],
    ['for the layout is none', '<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>', 'a b\nc d'],
    [
      'within a table is read alone',
      '<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>',
      '| a | b |\n| c | d |',
    ],
  ])('%s', (_what, html, expected) => {
    expect(form(html)).toBe(expected)
  })

  it('is bounded in columns', () => {
    expect(form('<table><tr><td colspan=1000000>a<td>b<tr><td>c<td>d</table>').length).toBeLessThan(300)
  })
})

describe('a large page', () => {
  const part =
    '<section> a <h2>B</h2>c<ol><li>d<li><p>e</p></ol><blockquote>f<p>g</p></blockquote><pre>h\n  i</pre><div>j</div></section>'

  it('is written as its parts are', () => {
    const parts = Array.from({ length: 60 }, () => form(part))
    expect(form(`<div><article>${part.repeat(60)}</article></div>`)).toBe(parts.join('\n'))
    expect([...formInSlices(document.body, () => null)].length).toBeGreaterThan(60)
  })
})
