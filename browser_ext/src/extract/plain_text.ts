// Text in normal form, without invisible characters.

/**
 * Control characters and default-ignorable ones: zero-width and bidirectional controls, soft hyphens, tags, Hangul
 * fillers.
 */
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}|[\u{E0000}-\u{E0FFF}]|[\uFFF9-\uFFFB]|[\u0000-\u0008\u000E-\u001F\u007F-\u009F]`
/** Emoji contain some of these (joiners, variation selectors, the tags of three flags), and stay whole. */
const FINDER = new RegExp(String.raw`(?<emoji>\p{RGI_Emoji})|${INVISIBLE}`, 'gv')

/** The limit for the text of a page. */
export const TEXT_CHARACTERS = 50_000
export const TITLE_CHARACTERS = 300

export function plainText(text: string): string {
  const normalized = text
    .normalize('NFKC')
    .replace(FINDER, (match: string, emoji: string | undefined) => (emoji === undefined ? '' : match))
  return normalized.normalize('NFKC').replace(/\p{Surrogate}/gu, '\uFFFD')
}

export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
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
