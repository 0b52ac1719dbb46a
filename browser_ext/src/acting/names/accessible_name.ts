// The accessible name of an element, as accname 1.2 computes it (the letters are its steps), through shadow trees that
// are closed to the page too.
import { isSimpleLine, singleSpaced } from '../../extract/plain_text'
import { shadowOf } from '../../extract/shadow_roots'
import { embeddedValue } from './embedded_value'
import { GeneratedText } from './generated_text'
import { Labels, lastWords, nativeSources, type Source } from './native_names'
import { ownRole, roleOf } from './roles'

/** How the computation came to an element. */
interface Way {
  /** In the text of another element: by reference, from a label, or from content. */
  isInside: boolean
  /** By aria-labelledby, which is followed once. */
  isReferenced: boolean
  /** Within something hidden that was referenced itself. */
  showsUnseen: boolean
  /** Elements on the way, which must not come again. */
  path: Path | null
  labels: Labels
  generated: GeneratedText
}

interface Path {
  element: Element
  outer: Path | null
  depth: number
}

const FROM_CONTENT = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row ' +
    'rowheader switch tab tooltip treeitem'
  ).split(' '),
)
/** HTML names these by their content, though they have no such role. */
const CONTENT_TAGS = new Set('summary legend caption figcaption label'.split(' '))
const PRESENTATIONAL = new Set(['presentation', 'none'])
const WITHOUT_WORDS = new Set('script style template noscript head datalist'.split(' '))
const DEEPEST = 60
/** Enough for every name that is shown: pages put whole articles into links. */
const CHARACTERS_MOST = 1_000
/** The icons of fonts. */
const PRIVATE_USE = /[\uE000-\uF8FF]|[\u{F0000}-\u{10FFFD}]/gu

/** Names, each computed once. It is good as long as the page does not change. */
export class Names {
  readonly #names = new Map<Element, string>()
  readonly #labels = new Labels()
  readonly #generated = new GeneratedText()

  /** `style`: of the element, where it was asked for already. */
  of(element: Element, style?: CSSStyleDeclaration): string {
    const present = this.#names.get(element)
    if (present !== undefined) return present
    const [labels, generated] = [this.#labels, this.#generated]
    const way = { isInside: false, isReferenced: false, showsUnseen: false, path: null, labels, generated }
    const name = tidy(computedName(element, way, style))
    this.#names.set(element, name)
    return name
  }
}

export function accessibleName(element: Element): string {
  return new Names().of(element)
}

function tidy(text: string): string {
  return isSimpleLine(text) ? text : singleSpaced(text.replace(PRIVATE_USE, '')).trim()
}

function computedName(element: Element, way: Way, style?: CSSStyleDeclaration): string {
  if (WITHOUT_WORDS.has(element.localName) || isOnPath(element, way.path)) return ''
  const within = { ...way, path: { element, outer: way.path, depth: (way.path?.depth ?? 0) + 1 } }
  return (
    (way.isReferenced ? null : words(labelledBy(element, within))) ?? // B
    (way.isInside ? words(embeddedValue(element)) : null) ?? // C
    words(element.getAttribute('aria-label')) ?? // D
    words(nativeName(element, within)) ?? // E
    (isNamedByContent(element, way) ? words(contentOf(element, within, style)) : null) ?? // F
    tooltip(element, way) // I
  )
}

function words(text: string | null): string | null {
  return text && /\S/.test(text) ? text : null
}

function isOnPath(element: Element, path: Path | null): boolean {
  if (path && path.depth > DEEPEST) return true
  for (let step = path; step; step = step.outer) if (step.element === element) return true
  return false
}

/** B. References are within one tree: a shadow tree cannot name by ids outside of it. */
function labelledBy(element: Element, way: Way): string {
  const ids = element.getAttribute('aria-labelledby')?.trim()
  if (!ids) return ''
  const root = element.getRootNode() as Document | ShadowRoot
  const labels = ids.split(/\s+/).flatMap((id) => root.getElementById?.(id) ?? [])
  return labels.map((label) => referenced(label, { ...way, isReferenced: true })).join(' ')
}

/** The text of a referenced element or of a label. It may be hidden itself, and then all in it counts. */
function referenced(label: Element, way: Way): string {
  // an element may name itself by its own aria-label beside another text
  const path = way.isReferenced && way.path?.element === label ? way.path.outer : way.path
  return computedName(label, { ...way, path, isInside: true, showsUnseen: !isRendered(label) })
}

/** E. Presentational elements have no semantics to take a name from. */
function nativeName(element: Element, way: Way): string {
  const all = nativeSources(element, way.labels)
  if (all.length === 0 || PRESENTATIONAL.has(ownRole(element))) return ''
  for (const sources of all) {
    const text = sources.map((source) => textOfSource(source, way)).join(' ')
    if (text.trim() !== '') return text
  }
  return ''
}

function textOfSource(source: Source, way: Way): string {
  return typeof source === 'string' ? source : referenced(source, { ...way, isReferenced: false })
}

function isNamedByContent(element: Element, way: Way): boolean {
  if (way.isInside || FROM_CONTENT.has(roleOf(element))) return true
  return CONTENT_TAGS.has(element.localName) && ownRole(element) === ''
}

function tooltip(element: Element, way: Way): string {
  if (element.localName === 'iframe' || !way.isInside || element.hasAttribute('title')) return lastWords(element)
  return ''
}

// Content
// -----------------------------------------------------------------------------------------------------------------

/** F to H: the text of all that is displayed in the element, and what its styles add. */
function contentOf(element: Element, way: Way, style?: CSSStyleDeclaration): string {
  const view = element.ownerDocument.defaultView
  const inner: Way = way.isInside ? way : { ...way, isInside: true }
  const { before, after } = way.generated.of(element, view)
  let text = before
  let isTextShown: boolean | null = way.showsUnseen || null
  const guests = element.localName === 'slot' ? (element as HTMLSlotElement).assignedNodes() : []
  const first = guests[0] ?? (shadowOf(element) ?? element).firstChild
  for (let child = first, place = 1; child; child = guests.length > 0 ? (guests[place++] ?? null) : child.nextSibling) {
    if (child.nodeType === Node.ELEMENT_NODE) text += textWithin(child as Element, inner, view)
    else if (child.nodeType === Node.TEXT_NODE) {
      isTextShown ??= ((style ?? view?.getComputedStyle(element))?.visibility || 'visible') === 'visible'
      if (isTextShown) text += (child as Text).data // G
    }
    if (text.length > CHARACTERS_MOST) break
  }
  return text + after
}

function textWithin(element: Element, way: Way, view: Window | null): string {
  if (element.localName === 'br') return ' '
  const style = view?.getComputedStyle(element)
  const display = style?.display ?? 'inline'
  if (!way.showsUnseen && (display === 'none' || element.getAttribute('aria-hidden') === 'true')) return '' // A
  const text = computedName(element, way, style)
  return display === 'inline' || display === 'contents' ? text : ` ${text} `
}

function isRendered(element: Element): boolean {
  if (element.closest('[aria-hidden="true"]')) return false
  if (typeof element.checkVisibility === 'function') return element.checkVisibility({ visibilityProperty: true })
  const style = element.ownerDocument.defaultView?.getComputedStyle(element)
  const isShown = style?.display !== 'none' && (style?.visibility || 'visible') === 'visible'
  return isShown && (!element.parentElement || isDisplayed(element.parentElement))
}

function isDisplayed(element: Element): boolean {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element)
  return style?.display !== 'none' && (!element.parentElement || isDisplayed(element.parentElement))
}
