// Runs the selectors of a skill on a page. Selectors are data for querySelectorAll, which runs no code. Number, matches
// and length are limited here, whatever the server sends. Only visible text is returned: no attributes, nothing hidden.
import { oneLine } from './plain_text'
import type { PageField, Selector } from '../protocol.gen'
import { elementsOf } from './select'
import { visibleText } from './visibility/visible_text'

const MOST_SELECTORS = 24
const MOST_TEXTS = 50
const TEXT_CHARACTERS = 500
/** All fields together stay a small part of a page's text. */
const ALL_CHARACTERS = 10_000
/** The number of matches that are tested for visibility. */
const MOST_HITS = 200
const PATIENCE_MS = 400

export function fieldsOf(page: Document, selectors: readonly Selector[]): PageField[] {
  const room = { characters: ALL_CHARACTERS, endsAt: performance.now() + PATIENCE_MS }
  return selectors
    .slice(0, MOST_SELECTORS)
    .map(({ name, css, many }) => ({ name, texts: textsOf(page, css, many ? MOST_TEXTS : 1, room) }))
}

function textsOf(page: Document, css: string, most: number, room: { characters: number; endsAt: number }): string[] {
  const texts: string[] = []
  for (const element of elementsOf(page, css).slice(0, MOST_HITS)) {
    if (texts.length === most || room.characters <= 0 || performance.now() > room.endsAt) break
    const text = shorten(oneLine(visibleText(element)), Math.min(TEXT_CHARACTERS, room.characters))
    if (!text) continue
    room.characters -= text.length
    texts.push(text)
  }
  return texts
}

function shorten(text: string, most: number): string {
  return text.length > most ? Array.from(text.slice(0, most)).slice(0, -1).join('') + '…' : text
}
