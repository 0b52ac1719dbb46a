// The events of a mouse, in the order in which browsers send them. All have coordinates.
import { focusableAround, moveFocus, tellOfFocus } from './focus'
import type { Point } from './hit_test'

export type Modifier = 'Control' | 'Shift' | 'Alt' | 'Meta'
type MouseButton = 'left' | 'right' | 'middle'

export interface Press {
  point: Point
  count?: number
  button?: MouseButton
  keys?: readonly Modifier[]
}

const BUTTONS = { left: 0, middle: 1, right: 2 } as const
/** As a bit of what is held down. */
const HOLDING = { left: 1, middle: 4, right: 2 } as const
const WITHOUT_BUBBLES = new Set(['pointerenter', 'mouseenter'])

export function modifierFlags(
  keys: readonly Modifier[],
): Required<Pick<EventModifierInit, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>> {
  return {
    ctrlKey: keys.includes('Control'),
    shiftKey: keys.includes('Shift'),
    altKey: keys.includes('Alt'),
    metaKey: keys.includes('Meta'),
  }
}

export function pointAt(element: Element, point: Point, keys: readonly Modifier[] = []): void {
  const init = { ...initOf({ point, keys }), button: -1 }
  for (const type of ['over', 'enter', 'move']) {
    send(element, `pointer${type}`, init)
    send(element, `mouse${type}`, { ...init, button: 0 })
  }
}

/** Press and let go. The last event does what the element does when it is clicked. */
export function click(element: Element, press: Press): void {
  pointAt(element, press.point, press.keys)
  for (let turn = 1; turn <= (press.count ?? 1); turn++)
    tellOfFocus(element.ownerDocument, () => clickOnce(element, press, turn))
  if ((press.count ?? 1) >= 2 && (press.button ?? 'left') === 'left')
    send(element, 'dblclick', { ...initOf(press), detail: 2 })
}

function clickOnce(element: Element, press: Press, detail: number): void {
  const button = press.button ?? 'left'
  const init = { ...initOf(press), detail, button: BUTTONS[button] }
  const down = { ...init, buttons: HOLDING[button] }
  const isFree = send(element, 'pointerdown', down)
  if (isFree && send(element, 'mousedown', down)) {
    const target = focusableAround(element)
    if (target) moveFocus(target)
  }
  if (button === 'right') send(element, 'contextmenu', down)
  send(element, 'pointerup', init)
  if (isFree) send(element, 'mouseup', init)
  send(element, button === 'left' ? 'click' : 'auxclick', init)
}

function initOf({ point, keys = [] }: Press): PointerEventInit {
  return {
    bubbles: true,
    cancelable: true,
    composed: true,
    clientX: point.x,
    clientY: point.y,
    screenX: point.x + window.screenX,
    screenY: point.y + window.screenY,
    pointerId: 1,
    pointerType: 'mouse',
    isPrimary: true,
    ...modifierFlags(keys),
  }
}

/** Return whether the page let the browser do its part. */
function send(element: Element, type: string, init: PointerEventInit): boolean {
  const bubbles = !WITHOUT_BUBBLES.has(type)
  const isPointer = type.startsWith('pointer') || type.endsWith('click') || type === 'contextmenu'
  const Kind = isPointer && typeof PointerEvent === 'function' ? PointerEvent : MouseEvent
  return element.dispatchEvent(new Kind(type, { ...init, bubbles, view: element.ownerDocument.defaultView }))
}
