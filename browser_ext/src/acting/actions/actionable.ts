// Whether a person could use a control now, and where they would press it. The background tries again what may pass.
import { accessibleName } from '../names/accessible_name'
import { roleOf } from '../names/roles'
import { boxOfCombobox } from '../hidden_combobox'
import { shorten } from '../snapshot/line'
import { ActFailure } from './failure'
import { elementAt, isOpenInFrames, labelsOf, parentAcross, pointsOf, reaches, type Point } from './hit_test'

const NAME_CHARACTERS = 60
const BUTTONS_MOST = 4
const DEPTH_MOST = 1_000
const BUTTONS = 'button, [role="button"], input[type="button"], input[type="submit"]'
const LAYERS = 'dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]'
/** A press on one of these does something of its own. */
const CONTROLS = 'a[href], area[href], button, input, select, textarea, summary, label'
const STILL_PX = 0.5

export interface Usable {
  /** The control, or the label that a person would press in its place. */
  element: Element
  point: Point
  /** What lies at the point: the element, or a part of it. */
  hit: Element
}

/** Throws ActFailure for a control that nobody could use now. Scrolls it into view. */
export async function usable(element: Element): Promise<Usable> {
  assertEnabled(element)
  const target = standIn(element)
  await assertStill(target)
  scrollToSee(target)
  const place = whereToPress(target, element)
  assertEnabled(element)
  return place
}

function assertEnabled(element: Element): void {
  if (!element.isConnected) throw new ActFailure('stale_ref', 'The control is gone.')
  for (let at: Element | null = element, depth = 0; at && depth < DEPTH_MOST; at = parentAcross(at), depth++) {
    if (at.getAttribute('aria-disabled') === 'true' || at.hasAttribute('inert'))
      throw new ActFailure('disabled', 'The control is switched off.')
  }
  if (element.matches(':disabled')) throw new ActFailure('disabled', 'The control is switched off.')
}

/** Return what a person sees of the control: a page may hide the box and draw its label. */
function standIn(element: Element): Element {
  if (visibleBox(element)) return element
  const label = labelsOf(element).find((one) => visibleBox(one)) ?? boxOfCombobox(element)
  if (label && visibleBox(label)) return label
  throw new ActFailure('not_visible', 'The control cannot be seen.')
}

/** Return null for what cannot be seen. The box of an inline element may be that of what it holds. */
function visibleBox(element: Element): DOMRect | null {
  if (!element.checkVisibility({ visibilityProperty: true })) return null
  const box = element.getBoundingClientRect()
  if (box.width >= 1 && box.height >= 1) return box
  const inner = element.firstElementChild?.getBoundingClientRect()
  return inner && inner.width >= 1 && inner.height >= 1 ? inner : null
}

function scrollToSee(element: Element): void {
  const box = visibleBox(element)
  const view = element.ownerDocument.defaultView
  if (box && view && pointsOf(box, view).some((point) => isAt(element, point))) return
  for (const block of ['center', 'nearest'] as const) {
    element.scrollIntoView({ block, inline: block, behavior: 'instant' })
    const now = visibleBox(element)
    if (now && view && pointsOf(now, view).some((point) => isAt(element, point))) return
  }
}

function isAt(element: Element, point: Point): boolean {
  const hit = elementAt(element.ownerDocument, point)
  return hit !== null && reaches(hit, element)
}

function whereToPress(target: Element, element: Element): Usable {
  const page = element.ownerDocument
  const box = visibleBox(target)
  const points = box && page.defaultView ? pointsOf(box, page.defaultView) : []
  if (points.length === 0) throw new ActFailure('not_visible', 'The control cannot be scrolled into view.')
  let over: Element | null = null
  for (const point of points) {
    const hit = elementAt(page, point)
    const isOpen = hit && reaches(hit, target) && isOpenInFrames(page, point)
    if (isOpen && !isOfAnother(hit, target)) return { element: target, point, hit }
    over ??= hit
  }
  throw new ActFailure('covered', over ? `Covered by ${described(over)}.` : 'Something lies over the frame.')
}

/** Whether a press there would go to another control, which lies within this one. */
function isOfAnother(hit: Element, target: Element): boolean {
  for (
    let at: Element | null = hit, depth = 0;
    at && at !== target && depth < DEPTH_MOST;
    at = parentAcross(at), depth++
  ) {
    if (at.matches(CONTROLS)) return true
  }
  return false
}

/** What covers a control, with the buttons of a layer, which may take it away. */
function described(over: Element): string {
  const layer = over.closest(LAYERS) ?? layerOf(over)
  const buttons = [...layer.querySelectorAll(BUTTONS)].filter((button) => visibleBox(button)).slice(0, BUTTONS_MOST)
  const names = buttons.map((button) => `“${shorten(accessibleName(button), NAME_CHARACTERS)}”`)
  const words = shorten(accessibleName(layer) || (layer.textContent ?? ''), NAME_CHARACTERS)
  const role = roleOf(layer) || layer.localName
  return `${role}${words ? ` “${words}”` : ''}${names.length > 0 ? ` with ${names.join(', ')}` : ''}`
}

/** The outermost part that lies over the page rather than in it. */
function layerOf(element: Element): Element {
  let layer = element
  for (let at: Element | null = element, depth = 0; at && depth < DEPTH_MOST; at = parentAcross(at), depth++) {
    if (/^(fixed|sticky|absolute)$/.test(getComputedStyle(at).position)) layer = at
  }
  return layer
}

/** Two frames at the same place. A page that is not drawn stands still. */
async function assertStill(element: Element): Promise<void> {
  const before = element.getBoundingClientRect()
  if (element.ownerDocument.hidden) return
  await nextFrame()
  const first = element.getBoundingClientRect()
  await nextFrame()
  const second = element.getBoundingClientRect()
  if (!isSameBox(before, first) || !isSameBox(first, second))
    throw new ActFailure('unstable', 'The control still moves.')
}

function isSameBox(one: DOMRect, other: DOMRect): boolean {
  const sides = ['left', 'top', 'width', 'height'] as const
  return sides.every((side) => Math.abs(one[side] - other[side]) < STILL_PX)
}

/** A browser that draws nothing sends no frame. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve())
    setTimeout(resolve, 50)
  })
}
