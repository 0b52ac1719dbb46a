// One walk over the page, in the order in which it is read: lines of text with the controls in them.
import { shadowOf } from '../../extract/shadow_roots'
import { oneLine } from '../../extract/plain_text'
import { isElement, shownChildren } from '../../extract/visibility/visible_copy'
import { visibilityAt } from '../../extract/visibility/visible_text'
import {
  isBoxSeen,
  isTextSeen,
  visibilityForEyes,
  visibilityOfPage,
  visibilityWithin,
  type Visibility,
} from '../../extract/visibility/visibility'
import { Names } from '../names/accessible_name'
import type { Control } from '../healing'
import { isFieldSeen } from '../hidden_combobox'
import type { References } from '../references'
import { marked, once, pathOf } from './control_words'
import { areasOf, controlRole, MAYBE_CONTROLS } from './controls'
import { hostOfFrame, placeIn } from './frame_places'
import { frontOf, type Front } from './fronts'
import { LineWriter, neutral, shorten, type Line } from './line'
import { likenessOf, likenessOfChild, SIBLINGS_MOST } from './siblings'
import { statesOf } from './states'
import { textBefore } from './text_before'

export interface WalkOptions {
  /** Leave out all text but that of controls, and fold nothing. */
  onlyControls: boolean
  /** Add the paths of links to the same site. */
  withPaths: boolean
  /** Of the text of a line. */
  textCharacters?: number
}

export interface FrontLines extends Front {
  name: string
  lines: Line[]
}

export interface Walked {
  lines: Line[]
  fronts: FrontLines[]
  controls: Control[]
  isCut: boolean
}

/** What an element passes on to its children. */
interface Place {
  visibility: Visibility
  /** The text is part of a name already. */
  isQuiet: boolean
  /** Within a control, only other controls count. */
  isInControl: boolean
  isInert: boolean
  /** An outer element has the pointer's cursor, or is a control: another cursor makes no control of this one. */
  hasPointer: boolean
  depth: number
}

const NAME_CHARACTERS = 80
const HEADING_CHARACTERS = 80
const LEAST_FRAME_PX = 2
const DEEPEST = 800
const ELEMENTS_MOST = 60_000
const BLOCK = /^(?:block|flex|grid|table(?!-cell)|list-item|flow-root)/
const LANDMARKS: Partial<Record<string, string>> = {
  aside: 'aside:',
  footer: 'footer:',
  form: 'form:',
  main: 'main:',
  nav: 'nav:',
  table: 'table:',
}
const FRAMES = new Set(['iframe', 'frame'])
/** Their children are not those that are displayed. */
const ODD_CHILDREN = new Set(['slot', 'details'])
const DRAWINGS = new Set(['svg', 'canvas'])
/** Browsers draw them on their own: the verdicts on text do not fit. */
const DRAWN_FIELDS = new Set(['select', 'textarea'])
const CELLS = new Set(['td', 'th'])
const CHOICES = new Set(['checkbox', 'radio', 'file'])
/** Roles whose element may be a box around the control that a person uses. */
const BOXES = new Set('click menuitem treeitem gridcell option tab'.split(' '))
const GROUPS = '[role="group"], [role="tree"], [role="menu"]'

export class Walk {
  readonly fronts: FrontLines[] = []
  readonly controls: Control[] = []
  readonly #names = new Names()
  readonly #view: Window
  #writer: LineWriter
  #heading = ''
  #elements = 0
  #groups = 0
  readonly #done = new Set<Element>()
  readonly #focus: Element | null

  constructor(
    private readonly page: Document,
    private readonly references: References,
    private readonly options: WalkOptions,
  ) {
    if (!page.defaultView) throw new Error('only a page that is shown can be looked at')
    this.#view = page.defaultView
    this.#focus = focusOf(page)
    this.#writer = new LineWriter(options.textCharacters)
  }

  /** Walk the page, or what lies below one element. */
  run(root?: Element): Walked {
    const visibility = root ? visibilityAt(root, this.#view) : this.#bodyVisibility()
    const main = this.#writer
    const { onlyControls } = this.options
    const place = { isQuiet: onlyControls, isInControl: false, isInert: false, hasPointer: false, depth: 0 }
    if (visibility && root) this.#element(root, { ...place, visibility })
    else if (visibility && this.page.body) this.#children(this.page.body, { ...place, visibility })
    main.end()
    return { lines: main.lines, fronts: this.fronts, controls: this.controls, isCut: this.#elements > ELEMENTS_MOST }
  }

  #bodyVisibility(): Visibility | null {
    const { documentElement, body } = this.page
    const root = visibilityWithin(documentElement, visibilityOfPage(this.#view, true), this.#view)
    return root && body && visibilityWithin(body, root, this.#view)
  }

  #children(parent: Element, place: Place): void {
    if (place.depth > DEEPEST) return
    const from = shadowOf(parent) ?? parent
    if (from === parent && ODD_CHILDREN.has(parent.localName))
      for (const child of shownChildren(parent)) this.#node(child, place)
    else if (this.#writer.sibling || this.options.onlyControls || from.childElementCount <= SIBLINGS_MOST)
      for (let child = from.firstChild; child; child = child.nextSibling) this.#node(child, place)
    else this.#many(from, place)
  }

  #many(parent: Element | ShadowRoot, place: Place): void {
    const likeness = likenessOf(parent)
    const group = ++this.#groups
    let item = 0
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      const isAlike = likeness !== null && isElement(child) && likenessOfChild(child) === likeness
      if (isAlike) this.#writer.sibling = { group, item: item++ }
      this.#node(child, place)
      if (isAlike) this.#writer.sibling = undefined
    }
  }

  #node(node: Node, place: Place): void {
    if (isElement(node)) this.#element(node, place)
    else if (node.nodeType === Node.TEXT_NODE && !place.isQuiet) this.#text(node as Text, place)
  }

  #text(text: Text, { visibility }: Place): void {
    const { data } = text
    if (/\S/.test(data)) {
      if (isTextSeen(text, visibility)) this.#writer.text(data)
    } else this.#writer.space()
  }

  #element(element: Element, outer: Place): void {
    if (++this.#elements > ELEMENTS_MOST || this.#done.has(element)) return
    const tag = element.localName
    if (tag === 'br') return this.#writer.space()
    if (FRAMES.has(tag)) return this.#frame(element as HTMLIFrameElement, outer)
    if (DRAWINGS.has(tag)) return this.#drawing(element, outer)
    if (tag === 'img' && element.hasAttribute('usemap')) this.#areas(element as HTMLImageElement, outer)
    if (DRAWN_FIELDS.has(tag) || tag === 'input') return this.#field(element, outer)
    if (!element.firstChild && this.#isNothing(element, outer)) return this.#emptyCell(element, outer)
    const isSilent = element.getAttribute('aria-hidden') === 'true'
    const visibility = visibilityForEyes(element, outer.visibility, this.#view)
    if (!visibility) return
    const place = {
      visibility,
      isQuiet: outer.isQuiet || isSilent, // its words are not read, as everywhere
      isInControl: outer.isInControl,
      isInert: outer.isInert || element.hasAttribute('inert'),
      hasPointer: outer.hasPointer || outer.isInControl || visibility.style.cursor === 'pointer',
      depth: outer.depth + 1,
    }
    if (tag === 'label' && this.#label(element as HTMLLabelElement, place, outer)) return
    const role = this.#roleAt(element, place, outer)
    if (role) return this.#control(element, role, place)
    const front = frontOf(element, visibility.position)
    if (front) this.#inFront(element, front, place)
    else this.#box(element, place)
  }

  /** Without content, and nothing to press: as many elements are. */
  #isNothing(element: Element, outer: Place): boolean {
    if (element.localName === 'slot' || controlRole(element) || shadowOf(element)) return false
    return outer.hasPointer || outer.isInControl || this.#view.getComputedStyle(element).cursor !== 'pointer'
  }

  #emptyCell(element: Element, { isQuiet }: Place): void {
    if (isQuiet || !CELLS.has(element.localName) || !isRendered(element)) return
    this.#writer.cell(element.nextElementSibling?.localName === 'th')
  }

  /** A control that a person can use, or ''. */
  #roleAt(element: Element, { visibility: { style }, isInert, hasPointer }: Place, outer: Place): string {
    const role = controlRole(element) || (hasPointer && !outer.hasPointer ? 'click' : '')
    if (!role || isInert || (role === 'click' && outer.isInControl)) return ''
    if (style.visibility !== 'visible' || style.pointerEvents === 'none') return ''
    return role
  }

  // Boxes
  // ---------------------------------------------------------------------------------------------------------------

  #box(element: Element, place: Place): void {
    const { display } = place.visibility
    const isBlock = BLOCK.test(display) && !place.isInControl
    const level = place.isInControl ? 0 : headingLevel(element)
    if (isBlock || level) this.#writer.end()
    if (level) this.#beginHeading(element, level)
    else if (display === 'table-cell') this.#writer.cell()
    const landmark = level || place.isInControl || place.isQuiet ? '' : this.#landmark(element)
    if (landmark) this.#writer.above(landmark, () => this.#children(element, place))
    else this.#children(element, place)
    if (isBlock || level) this.#writer.end()
  }

  #beginHeading(element: Element, level: number): void {
    this.#heading = oneLine(element.textContent.slice(0, 4 * HEADING_CHARACTERS)).slice(0, HEADING_CHARACTERS)
    this.#writer.heading(level)
  }

  #landmark(element: Element): string {
    const words = LANDMARKS[element.localName] ?? ''
    return element.localName !== 'footer' || element.parentElement === this.page.body ? words : ''
  }

  #inFront(element: Element, front: Front, place: Place): void {
    const lines = this.#apart(() => this.#box(element, place))
    const name = this.#names.of(element) || (element.querySelector('h1, h2, h3')?.textContent ?? '')
    this.fronts.push({ ...front, name: shorten(name, NAME_CHARACTERS), lines })
  }

  /** Return the lines of a part of the page that do not stand among those around it. */
  #apart(walk: () => void): Line[] {
    const writer = this.#writer
    this.#writer = new LineWriter(this.options.textCharacters)
    walk()
    this.#writer.end()
    const { lines } = this.#writer
    this.#writer = writer
    return lines
  }

  #frame(frame: HTMLIFrameElement, { visibility: outer, isInControl }: Place): void {
    const visibility = isInControl ? null : visibilityWithin(frame, outer, this.#view)
    if (visibility?.style.visibility !== 'visible' || !isBoxSeen(frame, visibility)) return
    if (frame.clientWidth < LEAST_FRAME_PX || frame.clientHeight < LEAST_FRAME_PX) return // its border may be larger
    this.#writer.alone('', { place: placeIn(this.#view, frame.contentWindow), host: hostOfFrame(frame) })
  }

  /** A drawing is a control, or controls are parts of it. Those of a canvas have no box: it draws them itself. */
  #drawing(drawing: Element, outer: Place): void {
    if (!isRendered(drawing) || !isBoxSeen(drawing, outer.visibility) || outer.isInert) return
    const hasPointer = !outer.hasPointer && this.#view.getComputedStyle(drawing).cursor === 'pointer'
    const role = controlRole(drawing) || (hasPointer ? 'click' : '')
    if (role && !outer.isInControl) this.#say(drawing, role, this.#names.of(drawing))
    for (const part of drawing.querySelectorAll(MAYBE_CONTROLS)) {
      const partRole = controlRole(part)
      const isUsable = drawing.localName === 'canvas' || (isRendered(part) && isBoxSeen(part, outer.visibility))
      if (partRole && isUsable && (partRole !== 'click' || !outer.isInControl))
        this.#say(part, partRole, this.#names.of(part))
    }
  }

  /** The areas of a picture are links without a box of their own. */
  #areas(picture: HTMLImageElement, { visibility, isInert, isInControl }: Place): void {
    if (isInert || isInControl || !isRendered(picture) || !isBoxSeen(picture, visibility)) return
    for (const area of areasOf(picture)) this.#say(area, 'link', this.#names.of(area))
  }

  // Controls
  // ---------------------------------------------------------------------------------------------------------------

  #control(element: Element, role: string, place: Place): void {
    const { visibility, isInControl } = place
    if (!isBoxSeen(element, visibility) && !hasSeenChild(element, visibility)) return this.#box(element, place)
    const isBlock = BLOCK.test(visibility.display) && !isInControl
    if (isBlock) this.#writer.end()
    else if (visibility.display === 'table-cell') this.#writer.cell()
    if (BOXES.has(role) && !isInControl && !hasOwnName(element)) this.#boxOfControls(element, role, place)
    else {
      this.#say(element, role, this.#names.of(element, visibility.style))
      if (element.querySelector(MAYBE_CONTROLS) || shadowOf(element))
        this.#children(element, { ...place, isQuiet: true, isInControl: true })
    }
    if (isBlock) this.#writer.end()
  }

  /** A box around one control is not told, one around several has no name: both would say the same words twice. */
  #boxOfControls(element: Element, role: string, place: Place): void {
    const inner = innerControls(element)
    if (inner === 1 && !element.querySelector(GROUPS)) return this.#box(element, place)
    if (role !== 'click' && inner === 0) return this.#say(element, role, this.#names.of(element))
    const before = this.controls.length
    const lines = this.#apart(() => this.#children(element, place))
    const text = lines.map((line) => line.text).join(' ')
    const isOnlyText = this.controls.length === before && !place.isQuiet && text.length <= NAME_CHARACTERS
    if (isOnlyText) return this.#say(element, role, text || this.#names.of(element))
    if (this.controls.length === before + 1 && role === 'click') return this.#writer.take(lines)
    this.#say(element, role, place.isQuiet ? this.#names.of(element) : '')
    this.#writer.take(lines)
  }

  /** Fields may be transparent: the page draws something in their place. */
  #field(element: Element, outer: Place): void {
    const role = controlRole(element)
    if (!role || outer.isInert || !this.#isFieldUsable(element, outer)) return
    const name = this.#names.of(element)
    this.#say(element, role, name || marked(textBefore(element)))
  }

  #isFieldUsable(element: Element, { visibility: outer }: Place): boolean {
    if (!isRendered(element) || !isFieldSeen(element, outer)) return false
    const { pointerEvents } = this.#view.getComputedStyle(element)
    return pointerEvents !== 'none'
  }

  /**
   * A label stands for its control where only the label can be seen, and is left out where the name of the control says
   * the same. Returns whether nothing is left to do.
   */
  #label(label: HTMLLabelElement, place: Place, outer: Place): boolean {
    const field = label.control
    if (!field || place.isInert || place.isInControl) return false
    const role = controlRole(field)
    if (!role || this.#isFieldUsable(field, outer)) {
      if (!role || !this.#isSaid(label, this.#names.of(field))) this.#box(label, { ...place, hasPointer: true })
      else this.#children(label, { ...place, isQuiet: true, hasPointer: true })
      return true
    }
    if (!CHOICES.has(role) || field.matches(':disabled') || this.#done.has(field)) return false
    const name = this.#names.of(field)
    this.#say(field, role, name)
    this.#done.add(field)
    this.#children(label, { ...place, isQuiet: place.isQuiet || this.#isSaid(label, name), hasPointer: true })
    return true
  }

  /** Whether a name has the words of the label. Its text may also hold styles, and words of blocks without a space. */
  #isSaid(label: Element, name: string): boolean {
    const has = (words: string): boolean => words.length <= NAME_CHARACTERS && name.includes(words)
    return has(oneLine(label.textContent)) || has(this.#names.of(label))
  }

  #say(element: Element, role: string, fullName: string): void {
    const ref = this.references.numberOf(element)
    const name = shorten(once(fullName), NAME_CHARACTERS)
    this.controls.push({ ref, role, name, heading: this.#heading })
    const path = this.options.withPaths && role === 'link' ? pathOf(element as HTMLAnchorElement) : ''
    const words = role === 'link' ? '' : ` ${role}`
    const states = neutral(statesOf(element, element === this.#focus, fullName))
    this.#writer.control(`[${ref}${words}${name && ` ${name}`}${path && ` ${path}`}${states}]`, ref)
  }
}

/** The element with the focus, in whatever tree it is. */
function focusOf(page: Document): Element | null {
  let focus = page.activeElement
  for (let root = focus && shadowOf(focus); focus && root?.activeElement; root = shadowOf(focus))
    focus = root.activeElement
  return focus === page.body ? null : focus
}

function headingLevel(element: Element): number {
  const tag = element.localName
  if (tag.length === 2 && /^h[1-6]$/.test(tag)) return Number(tag[1])
  if (element.getAttribute('role') !== 'heading') return 0
  return Math.min(6, Math.max(1, Number.parseInt(element.getAttribute('aria-level') ?? '2') || 2))
}

function isRendered(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true })
}

/** The box of an inline element may be empty although what it holds is not. */
function hasSeenChild({ firstElementChild }: Element, visibility: Visibility): boolean {
  return firstElementChild !== null && isBoxSeen(firstElementChild, visibility)
}

function hasOwnName(element: Element): boolean {
  return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')
}

/** Two are as many as any. */
function innerControls(element: Element): number {
  let count = 0
  for (const inner of element.querySelectorAll(MAYBE_CONTROLS)) {
    if (controlRole(inner) && ++count === 2) break
  }
  return count
}
