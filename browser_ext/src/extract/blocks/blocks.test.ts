// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { layoutOf, wordsOf } from './blocks'
import { atOnce } from '../slices'

const layout = (html: string) => atOnce(layoutOf(new DOMParser().parseFromString(html, 'text/html').body))
const texts = (html: string) => layout(html).blocks.map(({ text }) => text)

describe('the blocks of a page', () => {
  it('are the texts that stand on lines of their own', () => {
    expect(
      texts(
        '<h1>A <b>bold</b> title</h1><div>before<p>within</p>after</div><table><tr><td>one</td><td>two</td></tr></table>',
      ),
    ).toEqual(['A bold title', 'before', 'within', 'after', 'one', 'two'])
  })

  it('keep the words of two lines apart, and know no scripts', () => {
    expect(texts('<p>one<br>two</p><script>three</script>')).toEqual(['one two'])
  })

  it('know which share of them are links, and what is a sentence', () => {
    const [menu, sentence] = layout(
      '<li><a href="/">Home</a></li><p>It takes <a href="/s">55 seconds</a> for the boiler to recover.</p>',
    ).blocks
    expect([menu?.linkShare, menu?.isSentence, sentence?.isSentence]).toEqual([1, false, true])
    expect(sentence?.linkShare).toBeCloseTo(0.24, 1)
  })

  it('count words also where nothing parts them', () => {
    expect(wordsOf('Two words, 浓缩咖啡')).toEqual(['two', 'words', '浓', '缩', '咖', '啡'])
    expect(layout('<p>浓缩咖啡</p>').blocks[0]?.words).toBe(2)
    expect(wordsOf('हिन्दी में')).toEqual(['हिन्दी', 'में'])
    expect(layout('<p>กาแฟเอสเพรสโซ</p>').blocks[0]?.words).toBe(3.25)
  })
})
