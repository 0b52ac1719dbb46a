// Text in NFC without invisible characters. All others stay: m² and ﬁ are not m2 and fi.

/**
 * Control characters and default-ignorable ones: zero-width and bidirectional controls, soft hyphens, tags, Hangul
 * fillers.
 */
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}|[\u{E0000}-\u{E0FFF}]|[\uFFF9-\uFFFB]|[\u0000-\u0008\u000E-\u001F\u007F-\u009F]`
/** In these scripts, joiners between letters spell words. */
const JOINING = [
  'Arabic',
  'Syriac',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')
const JOINER = String.raw`(?<=[${JOINING}])[\u200C\u200D](?=[${JOINING}])`
/** Emoji contain some of these too (joiners, variation selectors, the tags of three flags), and stay whole. */
const FINDER = new RegExp(String.raw`(?<visible>\p{RGI_Emoji}|${JOINER})|${INVISIBLE}`, 'gv')
/** The finder goes through thousands of emoji: most texts have nothing for it. */
const ANY_INVISIBLE = new RegExp(INVISIBLE, 'v')

/** Most texts have nothing else, and stay as they are: as text, or also as one line. */
const ASCII = /^[\t\n\r -~]*$/
const SIMPLE = /^(?:[!-~]+ )*[!-~]+$/

/** The limit for the text of a page. */
export const TEXT_CHARACTERS = 50_000
export const TITLE_CHARACTERS = 300

export function plainText(text: string): string {
  if (ASCII.test(text)) return text
  const visible = ANY_INVISIBLE.test(text) ? withoutInvisible(text) : text
  return visible.normalize('NFC').toWellFormed()
}

function withoutInvisible(text: string): string {
  return text.replace(FINDER, (match: string, visible: string | undefined) => (visible === undefined ? '' : match))
}

/** Return text with the numbers of invisible characters in their places, such as ‹U+202E›. */
export function nameInvisible(text: string): string {
  return text.replace(FINDER, (match: string, visible: string | undefined) => visible ?? codeOf(match)).toWellFormed()
}

function codeOf(sign: string): string {
  return `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`
}

export function oneLine(text: string): string {
  return isSimpleLine(text) ? text : singleSpaced(plainText(text)).trim()
}

/** Whether it is words of ASCII with one space between two. */
export function isSimpleLine(text: string): boolean {
  return SIMPLE.test(text)
}

/** Return the text with one space for each run of white space. Replacing is slow, and most texts need none. */
export function singleSpaced(text: string): string {
  return /[^\S ]|  /.test(text) ? text.replace(/\s+/g, ' ') : text
}

/** Trim every line, and leave at most one empty line in a row. */
export function tidyLines(text: string): string {
  return plainText(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Return the beginning of a text without splitting a character. */
export function cutText(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? characters.slice(0, most).join('') : text
}
