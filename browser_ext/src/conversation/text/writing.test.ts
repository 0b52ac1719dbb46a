// @vitest-environment page
// How an answer looks while it is being written, and what its words are dressed with in the end: shared with the web
// chat.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { formatBody } from './formatting'
import { drawFormulas } from './formulas'
import { blocksOf, StreamedText } from './streamed_text'
import { safeHtml } from './safe_html'

const DRESSING = { copyCode: 'Copy', copied: 'Copied', notCopied: 'Not copied' }
const ANSWER = `# Levers

Pressure comes from a **spring**, or from *your arm* [p1.c2, k1.r2]. See [the shop](https://shop.example/x) [p1, p2.c1].

Options:
- one, \`code\`
- **two**

| Machine | Year | Price |
|---|---|---|
| Gaggia | 1948 | $900 |
| Faema | 1961 | $5 |

\`\`\`python
print("**no bold**")
\`\`\`

Then \\(p = F/A\\) and

$$
p \\approx 9
$$

Done.`

const showAll = (html: string[]) => {
  const holder = document.createElement('div')
  holder.append(safeHtml(html.join(''), 'http://127.0.0.1:8787'))
  return holder
}

describe('an answer that is being written', () => {
  const whole = blocksOf(ANSWER)

  it('never shows signs, links, handles, or something that turns out to be something else', () => {
    for (let end = 1; end <= ANSWER.length; end++) {
      const blocks = blocksOf(ANSWER.slice(0, end))
      const html = blocks.join('')
      const words = html.replace(/<(pre|code)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')
      expect(words, ANSWER.slice(Math.max(0, end - 60), end)).not.toMatch(/\*|`|\[p|\]\(|^\||\\\(|shop\.example/m)
      expect(blocks.slice(0, -1), ANSWER.slice(0, end)).toEqual(whole.slice(0, Math.max(0, blocks.length - 1)))
      expect(html).not.toMatch(/<h2|<hr|<a /)
    }
    expect(showAll(whole).querySelectorAll('h1, strong, em, ul > li, table, pre').length).toBe(9)
  })

  it('ends as it would have been made at once', () => {
    const holder = document.createElement('div')
    const toNodes = (html: string) => [...safeHtml(html, 'http://127.0.0.1:8787').childNodes]
    const writing = new StreamedText(holder, { toNodes, formatBlock: () => undefined })
    for (let end = 1; end <= ANSWER.length; end += 7) writing.show(ANSWER.slice(0, end))
    writing.show(ANSWER)
    expect(holder.innerHTML).toBe(showAll(whole).innerHTML)
  })

  it('makes anew only what changed', () => {
    const holder = document.createElement('div')
    const blocks: string[] = []
    const toNodes = (html: string) => (blocks.push(html), [...safeHtml(html, 'http://127.0.0.1:8787').childNodes])
    const writing = new StreamedText(holder, { toNodes, formatBlock: () => undefined })
    writing.show('First.\n\nSecond is')
    const [first, second] = holder.children
    writing.show('First.\n\nSecond is longer')
    expect([holder.children[0] === first, holder.children[1] === second]).toEqual([true, false])
    expect(holder.textContent).toContain('Second is longer')
    expect(blocks).toHaveLength(3)
    writing.show('')
    expect(holder.childNodes).toHaveLength(0)
  })
})

describe('the dressing', () => {
  beforeEach(() => void (document.body.innerHTML = '<main></main>'))
  const dressHtml = (html: string) => {
    const main = document.querySelector('main') as HTMLElement
    main.innerHTML = html
    formatBody(main, DRESSING)
    return main
  }

  it('lets code be copied', async () => {
    const writeText = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    const button = dressHtml('<pre><code>a &lt; b\n</code></pre>').querySelector<HTMLButtonElement>('.code > .copy')
    button?.click()
    await vi.waitFor(() => expect(button?.textContent).toBe('Copied'))
    expect(writeText).toHaveBeenCalledWith('a < b')
    vi.unstubAllGlobals()
  })

  it('keeps the number of a claim in the line in which the claim ends', () => {
    const html = 'A claim. <a href="https://penny.example/turns/1/evidence/2/">2</a> See <a href="/help/">help</a>.'
    expect(dressHtml(html).textContent).toBe('A claim.\u00a02 See help.')
  })

  it('names the columns of a wide table to its cells', () => {
    const main = dressHtml(
      '<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>',
    )
    expect([...main.querySelectorAll<HTMLElement>('.reflows td')].map((cell) => cell.dataset.column)).toEqual([
      'A',
      'B',
      'C',
    ])
  })

  it.each(['$$a\n', '\\[a\n', '\\[a=b\n', '> $$\n'])(
    'parses many opened formulas in the time of their length: %j',
    (piece) => {
      const text = piece.repeat(16_000 / piece.length)
      const [whole, quarters] = msToParse([text], Array<string>(4).fill(text.slice(0, 4_000)))
      expect(whole).toBeLessThan(2 * quarters + 50)
    },
  )

  it.each([
    ['$$\nx^2\n$$', true],
    ['\\[\nx^2\n\\]', true],
    ['$$\nx\n$$ more', false],
    ['\\[\na_1 \\] b \\]', false],
  ])('ends a formula of lines with its first closing bracket: %j', (text, isFormula) => {
    expect(blocksOf(text).join('').includes('<pre>')).toBe(isFormula)
  })

  it.each([
    ['So \\[ E = mc^2 \\] holds', '\\[E = mc^2\\]'],
    ['H$_2$O', '\\(_2\\)'],
    ['5 $\\mu$m', '\\(\\mu\\)'],
    ['see \\[1\\]', undefined],
    ['that \\[the total = 4\\] was', undefined],
    ['US$_ and US$_x', undefined],
  ])('finds a formula inside a sentence or a word: %j', (text, tex) => {
    expect(showAll(blocksOf(text)).querySelector('code')?.textContent).toBe(tex)
  })

  it('draws formulas as MathML, and leaves what is none as it was written', async () => {
    const main = dressHtml(
      '<p>x <code>\\(x^2\\)</code> <code>\\(\\frac{\\)</code> <code>(x)</code></p><pre><code>\\[\\sum_{i=1}^n i\\]</code></pre>',
    )
    await drawFormulas(document.createElement('p'))
    await vi.waitFor(() => expect(main.querySelectorAll('.formula math')).toHaveLength(2))
    expect(main.querySelector('p math msup')?.textContent).toBe('x2')
    expect(main.querySelector('div.formula math')?.getAttribute('display')).toBe('block')
    expect([...main.querySelectorAll('code')].map((code) => code.textContent)).toEqual(['\\(\\frac{\\)', '(x)'])
    expect(main.querySelector('pre, .code')).toBeNull()
  })

  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\includegraphics{https://evil.example/a.png}',
    '\\htmlData{a=b}{x}',
    '\\url{https://evil.example}',
  ])('gives a formula no way to act or to load: %s', async (tex) => {
    const main = dressHtml(`<p><code>\\(${tex}\\)</code> <code>\\(x^2\\)</code></p>`)
    await vi.waitFor(() => expect(main.querySelector('math msup')).not.toBeNull())
    expect(main.querySelectorAll('a, img, [href], [src], [data-a], script')).toHaveLength(0)
  })
})

/** The shortest of five runs of each, in turns, so that a busy machine slows both alike. */
function msToParse(one: string[], other: string[]): [number, number] {
  const rounds = [1, 2, 3, 4, 5].map(() => [one, other].map(msOfRun))
  return [Math.min(...rounds.map(([ms]) => ms ?? 0)), Math.min(...rounds.map(([, ms]) => ms ?? 0))]
}

function msOfRun(texts: string[]): number {
  const began = performance.now()
  texts.forEach((text) => blocksOf(text))
  return performance.now() - began
}
