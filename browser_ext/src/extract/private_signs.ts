// What of a page tells that it is somebody's own, and no page for everybody: its fields, its controls, and whether it
// is published. Read from the page itself: a copy lacks its fields. src/vault/rules/ says what follows from it.
import { digitFieldsIn, isSecretField } from '../private/secret_fields'
import { shadowOf } from './shadow_roots'

export interface PrivateSigns {
  /** A field for a password, a card, a code, or another secret. */
  asksSecret: boolean
  /**
   * How much it asks about a person: a street, a postcode and a birthday weigh two each, what a newsletter asks one.
   */
  personal: number
  /** It has a place to write in that is no search. */
  isWritten: boolean
  /** A link or form leads to an address of signing out. */
  signsOut: boolean
  /** It says of itself, by its own address or as data, that it is a page to be found and shown to others. */
  isPublished: boolean
  /** What is written on its headings, buttons, links, labels and columns, each once. */
  controls: string[]
  /** The short words of all links, also of menus that are closed: one may sign out. */
  links: string[]
  /** The sites of the frames that it shows. */
  frames: string[]
}

const CONTROLS_MOST = 300
const CONTROL_CHARACTERS = 60
const LINK_CHARACTERS = 24
const ROOTS_MOST = 60
const CONTROLS = `h1, h2, h3, legend, label, th, button, summary, nav a, header a, aside a, footer a, menu a, a[href*="out" i],
  a[href*="off" i], [role="button"], [role="tab"], [role="menuitem"], [role="link"], [role="treeitem"],
  [role="columnheader"], [role="heading"], dt, input[type="submit"], input[type="button"]`
const LEAVES = /\b(?:log|sign)[-_]?(?:out|off)\b|\b(?:abmeld|deconnexion|logout|signout|odhlas|wyloguj|uitlog|cikis)/i
const WRITING = 'textarea, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]'
const NAMES = ['aria-label', 'placeholder', 'data-placeholder', 'value', 'title']
const SEARCHES = /search|query|such|recherche|busca|cerca|zoek|szukaj/i
const CANONICAL = 'link[rel~="canonical" i][href], meta[property="og:url"][content]'
const DATA = 'script[type="application/ld+json"], [itemtype*="schema.org/" i]'
/** Kinds of data that a site says of one page, not of itself. */
const OF_A_PAGE = /Article|Posting|Product|Recipe|Event|Course|Book|Movie|Review|FAQPage|HowTo|Video/
const KINDS: [weight: number, kind: RegExp][] = [
  [
    1,
    /\b(?:given|family|first|last|sur|vor|nach)[-_ ]?name\b|\b(?:prenom|nombre|apellidos?|cognome|imie|nazwisko|fname|lname)\b/i,
  ],
  [
    2,
    /\bstreet|address[-_ ]?(?:line)?[-_ ]?[12]\b|\b(?:strasse|hausnummer|rue|calle|via|ulica|sokak|adresse(?!\W?(?:e-?)?mail|\W[eé]lectronique))\b/i,
  ],
  [2, /\bpost(?:al)?[-_ ]?code|\bzip\b|\b(?:plz|postleitzahl|code[-_ ]postal|cap|cep|psc|codigo[-_ ]postal)\b/i],
  [2, /\bb(?:irth)?[-_ ]?day|\bdate[-_ ]of[-_ ]birth|\bdob\b|geburt|naissance|nacimiento|nascita/i],
  [1, /\btel(?:ephone)?\b|\bphone\b|\bmobile\b|telefon/i],
  [1, /\be-?mail\b/i],
]

export function privateSignsOf(page: Document): PrivateSigns {
  const roots = rootsOf(page)
  const all = <Found extends Element>(selector: string) =>
    roots.flatMap((root) => [...root.querySelectorAll<Found>(selector)])
  const fields = all<HTMLInputElement>('input, select').filter(isSeen)
  return {
    asksSecret: fields.some(isSecretField) || roots.some((root) => digitFieldsIn(root).some(isSeen)),
    personal: personalWeight(fields),
    isWritten: all(WRITING).some((field) => !SEARCHES.test(fieldWords(field)) && isSeen(field)),
    signsOut: all('a[href], form[action], button[formaction]').some((element) => LEAVES.test(targetOf(element))),
    isPublished: isPublished(page),
    controls: controlsIn(all(`${CONTROLS}, ${WRITING}`)),
    links: shortLinks(all('a')),
    frames: all<HTMLIFrameElement>('iframe[src]').filter(isSeen).flatMap(siteOfFrame),
  }
}

/** The document and some of its shadow trees. */
function rootsOf(page: Document): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [page]
  for (let at = 0; at < roots.length; at++)
    for (const element of roots[at]?.querySelectorAll('*') ?? []) {
      const shadow = roots.length < ROOTS_MOST ? shadowOf(element) : null
      if (shadow) roots.push(shadow)
    }
  return roots
}

function isSeen(element: Element): boolean {
  return element.checkVisibility({ checkVisibilityCSS: true, visibilityProperty: true })
}

function fieldWords(element: Element): string {
  const names = ['name', 'id', 'autocomplete', 'placeholder', 'aria-label', 'role']
  const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent ?? '')
  return [...names.map((name) => element.getAttribute(name) ?? ''), ...labels].join(' ')
}

function personalWeight(fields: readonly Element[]): number {
  const words = fields.map((field) => fieldWords(field).replace(/(?<=[a-z])(?=[A-Z])/g, ' '))
  return KINDS.reduce((sum, [weight, kind]) => sum + (words.some((text) => kind.test(text)) ? weight : 0), 0)
}

function targetOf(element: Element): string {
  const names = ['href', 'action', 'formaction']
  return names.map((name) => element.getAttribute(name)?.slice(0, 300) ?? '').join(' ')
}

function controlsIn(elements: readonly Element[]): string[] {
  const texts = new Set<string>()
  for (const element of elements) {
    if (texts.size >= CONTROLS_MOST) break
    const text = controlName(element).replace(/\s+/g, ' ').trim()
    if (text !== '' && text.length <= CONTROL_CHARACTERS && !texts.has(text) && isSeen(element)) texts.add(text)
  }
  return [...texts]
}

/** Never what the owner wrote. */
function controlName(element: Element): string {
  const words = element.matches(WRITING) ? '' : (element.textContent?.trim() ?? '')
  return words || (NAMES.map((name) => element.getAttribute(name)).find(Boolean) ?? '')
}

function shortLinks(links: readonly Element[]): string[] {
  const texts = links.map((link) => (link.textContent ?? '').replace(/\s+/g, ' ').trim())
  return [...new Set(texts)].filter((text) => text !== '' && text.length <= LINK_CHARACTERS).slice(0, CONTROLS_MOST)
}

function siteOfFrame({ src }: HTMLIFrameElement): string[] {
  return URL.canParse(src) ? [new URL(src).hostname] : []
}

/** A site that shows one card for all of its pages publishes none of them: the address has to be that of the page. */
function isPublished(page: Document): boolean {
  if (/noindex|\bnone\b/i.test(page.querySelector('meta[name="robots" i]')?.getAttribute('content') ?? '')) return false
  const here = placeOf(page.URL, page.URL)
  const isNamed = [...page.querySelectorAll(CANONICAL)].some((element) => {
    const address = element.getAttribute('href') ?? element.getAttribute('content') ?? ''
    return placeOf(address, page.URL) === here
  })
  return isNamed || [...page.querySelectorAll(DATA)].some(isOwnData)
}

function placeOf(address: string, base: string): string {
  if (!URL.canParse(address, base)) return ''
  const { pathname } = new URL(address, base)
  return pathname.replace(/\/+$/, '')
}

function isOwnData(element: Element): boolean {
  const kinds = element.getAttribute('itemtype')
    ? [element.getAttribute('itemtype')?.split('/').at(-1) ?? '']
    : [...(element.textContent ?? '').slice(0, 20_000).matchAll(/"@type"\s*:\s*"(\w+)"/g)].map(([, kind = '']) => kind)
  return kinds.some((kind) => OF_A_PAGE.test(kind))
}
