// @vitest-environment page
import { createRequire } from 'node:module'
import Defuddle from 'defuddle'
import { describe, expect, it } from 'vitest'
import { defuddleWithoutSites } from '../../scripts/defuddle_without_sites'

type Transform = (this: { parse: (code: string) => object }, code: string, id: string) => { code: string } | null

/** Its build for Node, which nothing changes. */
const Whole = createRequire(import.meta.url)('defuddle') as typeof Defuddle
const ID = '/node_modules/defuddle/dist/index.js'
const WORDS = '<p>The boiler recovers in fifty-five seconds, and the shot after it runs as long as before.</p>'.repeat(
  9,
)
const PAGE = `<title>Of boilers</title><nav><a href="/">Home</a></nav><main><h1>Of boilers</h1><h2 id="a">Heat <a href="#a">#</a></h2>${WORDS}
<pre class="language-python"><code>print("hot")</code></pre><figure><img src="a.png" width="400" height="300"><figcaption>One</figcaption></figure>
<p>Steam<sup id="fnref1"><a href="#fn1">1</a></sup> is <math><mi>x</mi></math>.</p><div class="admonition note"><p class="admonition-title">Note</p><p>Hot.</p></div>
<table><tr><td>a</td><td>b</td></tr></table><ol class="footnotes"><li id="fn1">A note.</li></ol></main><div class="related-posts">More</div>
<footer>© All rights reserved</footer>`

const read = (Reader: typeof Defuddle, url: string) =>
  new Reader(new DOMParser().parseFromString(PAGE, 'text/html'), { url, useAsync: false }).parse()

function transform(code: string, id: string): { code: string } | null {
  return (defuddleWithoutSites().transform as unknown as Transform).call({ parse: () => ({}) }, code, id)
}

describe('Defuddle as it is shipped', () => {
  it('reads a page as the whole of it does', () => {
    const [ours, whole] = [Defuddle, Whole].map((Reader) => read(Reader, 'https://example.com/boilers'))
    expect(ours?.content).toContain('The boiler recovers')
    expect({ ...ours, parseTime: 0 }).toEqual({ ...whole, parseTime: 0 })
  })

  it('reads a page of a site that all of it knows', () => {
    expect(read(Defuddle, 'https://news.ycombinator.com/item?id=1').content).toContain('The boiler recovers')
  })

  it('is changed at its one file alone', () => {
    expect(transform('let a', '/src/extract/defuddle.ts')).toBeNull()
    expect(() => transform('let a', ID)).toThrow('no module has an ExtractorRegistry. Look at its modules')
  })
})
