// Locates secrets that a picture of the page must not show: passwords, card numbers, one-time codes, keys and tokens.
// Frames count too: they show other sites.
import { changesIn, knownIn } from '../grants/url_secrets'

/** In CSS pixels of the page, from its upper left corner. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

interface Piece {
  node: Text
  start: number
}

const FRAMES = 'iframe, frame, object, embed, fencedframe'
const FIELDS = 'input, textarea, select'
const SECRET_AUTOCOMPLETE = /\b(one-time-code|cc-(number|csc|exp)\S*|(current|new)-password)\b/
const SECRET_NAME =
  /passw|passcode|passphrase|\bpin\b|\botp\b|one-?time|2fa|mfa|totp|cvv|cvc|csc|card-?_?(number|no|num)|cardnumber|security-?_?code|iban/i
/** One digit in each of several fields. */
const DIGIT_FIELD = 'input[maxlength="1"]'
const DIGIT_FIELDS_LEAST = 4
const CARD = /\d(?:[ \u00A0.-]?\d){12,18}/g
/** Near these words, digits are a code. In the languages of most readers; `pin` and `tan` only as whole words. */
const CODE_WORDS =
  /\bcodes?\b|passcode|\botp\b|\bpin\b|\btan\b|one[- ]time|verif|authentic|bestätigung|einmal|sicherheitscode|código|codigo|codice|c[oó]digo|vérification|verifica|kod\b|код|コード|验证码|驗證碼|인증/i
const CODE = /(?<![\d.,:/])\d{3}[ \u00A0-]?\d{3}(?![\d.,:/]*\d)|(?<![\d.,:/])\d{4,8}(?![\d.,:/]*\d)/g
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g
/** Beside these words, random letters and digits are a key. */
const KEY_WORDS =
  /\b(?:api|access|secret|private|license|recovery|backup|auth)?[ -]?(?:keys?|tokens?|secrets?|credentials?)\b|schlüssel|clave|clé\b|chiave|ключ/i
const CHANCE = /(?<![\w/.-])[\w-]{16,}(?![\w/.]*\w)/g
/** Fewer than for addresses, because a word beside it already says that it is a key. */
const CHANGES_OF_CHANCE = 3
const BLOCK_CHARACTERS = 4_000
/** A word and its code stand in one block, or in two adjacent ones. */
const NEAR_CHARACTERS = 160
const EDGE_PX = 2

export function secretsOf(page: Document): Rect[] {
  const view = page.defaultView
  if (!view) return []
  const boxes = rootsOf(page).flatMap((root) => [...boxesIn(root), ...textRectsIn(root)])
  return boxes.filter(({ width, height }) => width > 0 && height > 0).map((rect) => onPage(rect, view))
}

/** The document and its shadow trees, also those that are closed to the page's own scripts. */
function rootsOf(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
  const shadows = [...root.querySelectorAll('*')].map(shadowOf).filter((shadow) => shadow !== null)
  return [root, ...shadows.flatMap(rootsOf)]
}

/** What Chrome gives to scripts of an extension. */
declare const chrome: { dom: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null } }

interface FirefoxElement extends Element {
  openOrClosedShadowRoot?: ShadowRoot | null
}

function shadowOf(element: FirefoxElement): ShadowRoot | null {
  if (import.meta.env.FIREFOX) return element.openOrClosedShadowRoot ?? null
  return element instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(element) : element.shadowRoot
}

function boxesIn(root: Document | ShadowRoot): DOMRect[] {
  const fields = [...root.querySelectorAll<HTMLInputElement>(FIELDS)].filter(isSecretField)
  const digits = [...root.querySelectorAll(DIGIT_FIELD)]
  const several = digits.length >= DIGIT_FIELDS_LEAST ? digits : []
  return [...root.querySelectorAll(FRAMES), ...fields, ...several].map((element) => element.getBoundingClientRect())
}

function isSecretField(field: HTMLInputElement): boolean {
  const names = [
    field.name,
    field.id,
    field.getAttribute('aria-label') ?? '',
    field.placeholder ?? '',
    ...labelsOf(field),
  ].join(' ')
  // The attribute, not the property: Firefox empties the property for unknown words.
  if (
    field.type === 'password' ||
    SECRET_AUTOCOMPLETE.test(field.getAttribute('autocomplete') ?? '') ||
    SECRET_NAME.test(names)
  )
    return true
  const value = field.value ?? ''
  return cardsIn(value).length > 0 || keysIn(value).length > 0 || (CODE_WORDS.test(names) && codesIn(value).length > 0)
}

function labelsOf(field: HTMLInputElement): string[] {
  return [...(field.labels ?? [])].map((label) => label.textContent ?? '')
}

/** A number may be split over several elements, so a block is searched as one text. */
function textRectsIn(root: Document | ShadowRoot): DOMRect[] {
  let before = root instanceof ShadowRoot ? wordsAround(root.host) : ''
  return blocksIn(root).flatMap((pieces) => {
    const text = pieces
      .map(({ node }) => node.data)
      .join('')
      .slice(0, BLOCK_CHARACTERS)
    const context = `${before} ${text}`
    before = text.trim() ? text.slice(-NEAR_CHARACTERS) : before
    const spans = [...cardsIn(text), ...keysIn(text), ...(CODE_WORDS.test(context) ? codesIn(text) : [])]
    return spans.flatMap(([start, end]) => rectsOf(pieces, start, end))
  })
}

/** What is said beside an element with a shadow tree. */
function wordsAround(host: Element): string {
  const words = host.parentElement?.textContent ?? ''
  return words.length <= BLOCK_CHARACTERS ? words : ''
}

/** The text nodes of each block, in page order. */
function blocksIn(root: Document | ShadowRoot): Piece[][] {
  const page = root instanceof Document ? root : root.ownerDocument
  const walker = page.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const blocks = new Map<Element | null, Piece[]>()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = blockOf(node.parentElement)
    const pieces = blocks.get(block) ?? []
    const last = pieces.at(-1)
    pieces.push({ node: node as Text, start: last ? last.start + last.node.data.length : 0 })
    blocks.set(block, pieces)
  }
  return [...blocks.values()]
}

function blockOf(element: Element | null): Element | null {
  let block = element
  while (block?.parentElement && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
  return block
}

function rectsOf(pieces: readonly Piece[], start: number, end: number): DOMRect[] {
  const [from, to] = [pieceAt(pieces, start), pieceAt(pieces, end)]
  if (!from || !to) return []
  const range = from.node.ownerDocument.createRange()
  range.setStart(from.node, start - from.start)
  range.setEnd(to.node, end - to.start)
  return [...range.getClientRects()]
}

function pieceAt(pieces: readonly Piece[], at: number): Piece | undefined {
  return pieces.find(({ node, start }) => at >= start && at <= start + node.data.length)
}

/** Spans with the form and check digit of a card number. */
export function cardsIn(text: string): [number, number][] {
  return spansOf(CARD, text).filter(([start, end]) => isCard(text.slice(start, end).replace(/\D/g, '')))
}

/** Spans of keys and tokens: known forms, private keys, and random text that is called a key or token. */
export function keysIn(text: string): [number, number][] {
  const spansOfKeys = KEY_WORDS.test(text)
    ? spansOf(CHANCE, text).filter(([start, end]) => changesIn(text.slice(start, end)) >= CHANGES_OF_CHANCE)
    : []
  return [...knownIn(text), ...spansOf(PRIVATE_KEY, text), ...spansOfKeys]
}

/** Spans of possible one-time codes, where the text mentions one. */
export function codesIn(text: string): [number, number][] {
  return spansOf(CODE, text)
}

export function saysCode(text: string): boolean {
  return CODE_WORDS.test(text)
}

function spansOf(form: RegExp, text: string): [number, number][] {
  return [...text.matchAll(form)].map((match) => [match.index, match.index + match[0].length])
}

/** The Luhn check digit, which one random number in ten has too. */
function isCard(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0
}

function onPage({ x, y, width, height }: DOMRect, view: Window): Rect {
  return {
    x: x + view.scrollX - EDGE_PX,
    y: y + view.scrollY - EDGE_PX,
    width: width + 2 * EDGE_PX,
    height: height + 2 * EDGE_PX,
  }
}
