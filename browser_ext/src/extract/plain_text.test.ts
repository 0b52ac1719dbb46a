import { describe, expect, it } from 'vitest'
import { nameInvisible, oneLine, plainText, tidyLines } from './plain_text'

const tags = (text: string) =>
  String.fromCodePoint(...[...text].map((character) => 0xe0000 + (character.codePointAt(0) ?? 0)))

describe('text', () => {
  it.each([
    ['zero-width', 'pass\u200Bword\u200C\u200D\uFEFF', 'password'],
    ['a soft hyphen', 'hy\u00ADphen', 'hyphen'],
    ['bidirectional controls', 'a\u202Eb\u2066c\u2069', 'abc'],
    ['tags', `seen${tags('obey me')}`, 'seen'],
    ['Hangul fillers', 'a\u3164b\u115Fc\uFFA0', 'abc'],
    ['variation selectors', 'a\uFE0Fb\u{E0100}', 'ab'],
    ['control characters', 'a\0b\u0007c\u009F', 'abc'],
    ['joiners that join nothing', 'a\u200Cb می\u200C\u200Cخواهم \u200Cخواهم', 'ab میخواهم خواهم'],
  ])('is without %s', (_what, input, expected) => {
    expect(plainText(input)).toBe(expected)
  })

  it('names what nobody sees, but for what spells words and emoji', () => {
    const text = 'a\u202Eb\u0007 می\u200Cخواهم 👩\u200D🚀\nc\u200D\ud800'
    expect(nameInvisible(text)).toBe('a‹U+202E›b‹U+0007› می\u200Cخواهم 👩\u200D🚀\nc‹U+200D›\ufffd')
  })

  it('keeps what people write with', () => {
    const text =
      'Grüße, 日本語, עברית, 😀 – “quoted” €, ｆｕｌｌ ﬁne, 35 m², 3×10⁸, ½, می\u200Cخواهم, क\u094D\u200Dष, แม่น้ำ'
    expect(plainText(text)).toBe(text)
  })

  it.each(['😀', '❤️', '1️⃣', '🇩🇪', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🏃🏽‍♂️', `\u{1F3F4}${tags('gbeng')}\u{E007F}`])(
    'keeps the emoji %s whole',
    (emoji) => {
      expect(plainText(`a ${emoji} b`)).toBe(`a ${emoji} b`)
    },
  )

  it.each([
    ['😀\uFE0F', '😀'],
    ['👩\u200D\u200D💻', '👩💻'],
    [`\u{1F3F4}${tags('obey')}\u{E007F}`, '\u{1F3F4}'],
  ])('drops what only looks like an emoji: %s', (input, expected) => {
    expect(plainText(input)).toBe(expected)
  })

  it('has no default-ignorable character left, wherever one stood', () => {
    const all = Array.from({ length: 0x1_1000 }, (_, index) => (index < 0x1_0000 ? index : 0xe0000 + index - 0x1_0000))
    const text = all.filter((point) => point < 0xd800 || point > 0xdfff).map((point) => String.fromCodePoint(point))
    expect(plainText(text.join('a')).match(/\p{Default_Ignorable_Code_Point}/u)).toBeNull()
  })

  it('is tidied by line, or into one', () => {
    expect(tidyLines(' a \n\n\n\n b\t c \n')).toBe('a\n\nb c')
    expect(oneLine(' a \n b\t c ')).toBe('a b c')
  })
})
