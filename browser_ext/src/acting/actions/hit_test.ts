// What lies at a point of the page, through open and closed shadow trees, and whether that is what was to be pressed.
import { pageElementAt, shadowOf } from '../../extract/shadow_roots'

export interface Point {
  x: number
  y: number
}

const DEPTH_MOST = 100
/** Further places are a quarter of the box away from its edges. */
const PLACES = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const

export function elementAt(page: DocumentOrShadowRoot, { x, y }: Point): Element | null {
  let hit = pageElementAt(page, x, y)
  for (let depth = 0; hit && depth < DEPTH_MOST; depth++) {
    const inner = shadowOf(hit)?.elementFromPoint(x, y)
    if (!inner || inner === hit) break
    hit = inner
  }
  return hit
}

/** The element that it is drawn in. */
export function parentAcross(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot
  if (element.parentElement) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

/** Whether a press on `hit` reaches the element: it is the element, inside of it, or its label. */
export function reaches(hit: Element, element: Element): boolean {
  const labels = labelsOf(element)
  for (let at: Element | null = hit, depth = 0; at && depth < 10 * DEPTH_MOST; at = parentAcross(at), depth++) {
    if (at === element || labels.includes(at)) return true
    if (fillsSlotOf(at, element)) return true
  }
  return false
}

/** A closed tree does not say which of its slots a child fills. */
function fillsSlotOf(host: Element, element: Element): boolean {
  const root = element.getRootNode()
  return root instanceof ShadowRoot && root.host === host && root.mode === 'closed' && !!element.querySelector('slot')
}

/** Points of the part of a box that can be seen, the best one first. */
export function pointsOf(box: DOMRectReadOnly, view: { innerWidth: number; innerHeight: number }): Point[] {
  const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)]
  const [right, bottom] = [Math.min(view.innerWidth, box.right), Math.min(view.innerHeight, box.bottom)]
  if (right - left < 1 || bottom - top < 1) return []
  return PLACES.map(([x, y]) => ({ x: left + (right - left) * x, y: top + (bottom - top) * y }))
}

/** Whether nothing of the outer pages lies over the point. Frames of other sites cannot be asked. */
export function isOpenInFrames(page: Document, point: Point): boolean {
  let view = page.defaultView
  let { x, y } = point
  for (let depth = 0; view && depth < DEPTH_MOST; depth++) {
    const frame = frameOf(view)
    if (!frame) return true
    const box = frame.getBoundingClientRect()
    x += box.left + frame.clientLeft
    y += box.top + frame.clientTop
    if (elementAt(frame.ownerDocument, { x, y }) !== frame) return false
    view = frame.ownerDocument.defaultView
  }
  return true
}

function frameOf(view: Window): Element | null {
  try {
    return view.frameElement
  } catch {
    return null // the outer page is of another site
  }
}

export function labelsOf(element: Element): Element[] {
  return 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : []
}
