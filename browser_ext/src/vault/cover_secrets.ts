// Covers what looks like a secret in the text of a page that is kept.
import { spansIn } from '../private/secret_spans'
import type { Page } from '../protocol.gen'
import type { Span } from '../private/words'

const COVER = '▮'

interface Covered {
  page: Page
  /** How many secrets were covered. */
  masked: number
  /** How many characters of its text they had. */
  maskedCharacters: number
}

export function coverSecrets(page: Page): Covered {
  const text = cover(page.text)
  const title = cover(page.title)
  const links = page.links.map((link) => ({ url: link.url, words: cover(link.text) }))
  const masked = [text, title, ...links.map(({ words }) => words)].reduce((sum, { count }) => sum + count, 0)
  return {
    page: {
      ...page,
      text: text.text,
      title: title.text,
      links: links.map(({ url, words }) => ({ text: words.text, url })),
    },
    masked,
    maskedCharacters: text.characters,
  }
}

function cover(text: string): { text: string; count: number; characters: number } {
  const spans = merged(spansIn(text))
  const covered = spans.reduceRight((rest, [start, end]) => rest.slice(0, start) + COVER + rest.slice(end), text)
  const characters = spans.reduce((sum, [start, end]) => sum + end - start, 0)
  return { text: covered, count: spans.length, characters }
}

/** Two rules may find the same secret. */
function merged(spans: readonly Span[]): Span[] {
  const apart: Span[] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = apart.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else apart.push([start, end])
  }
  return apart
}
