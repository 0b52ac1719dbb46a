// The selectors of a skill at work on a page. They are data: given to querySelectorAll, which runs nothing, and bounded in number, hits
// and length, whatever the server sends. Only what a person can see is answered with: no attributes, nothing hidden.
import { oneLine } from './plain_text'
import type { PageField, Selector } from '../protocol.gen'
import { elementsOf } from './select'
import { visibleText } from './visibility/visible_text'

const MOST_SELECTORS = 24
const MOST_TEXTS = 50
const TEXT_CHARACTERS = 500
/** All fields together stay a small part of a page's text. */
const ALL_CHARACTERS = 10_000
/** Hits that are looked at for those that can be seen. */
const MOST_HITS = 200
const PATIENCE_MS = 400

export function fieldsOf(page: Document, selectors: readonly Selector[]): PageField[] {
  const room = { characters: ALL_CHARACTERS, endsAt: performance.now() + PATIENCE_MS }
  return selectors.slice(0, MOST_SELECTORS).map(({ name, css, many }) => ({ name, texts: textsOf(page, css, many ? MOST_TEXTS : 1, room) }))
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
