// Waits for the owner of a page that Penny acts on: they press the pill, or use the page themselves.
import { isOwnHost } from '../../extract/shadow_roots'
import { dropSubmitGuard } from '../actions/submits'
import { showPill, type OwnerMove, type PillWords } from './pill'

export interface OwnerRequest {
  /** Null in frames. */
  words: PillWords | null
  /** Whether the owner has the page, so that what they do there is no news. */
  isTheirs: boolean
}

interface Waiting {
  end: (move: OwnerMove | null) => void
}

const PLACE = 'pennyOwner'
const INPUT = ['pointerdown', 'keydown'] as const
/** They lead to the pill, out of the page, or nowhere. */
const KEYS_OF_NOTHING = new Set(['Tab', 'F6', 'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Escape'])

/** Resolves with null when another wait takes the place of this one. */
export function awaitOwner(page: Document, { words, isTheirs }: OwnerRequest): Promise<OwnerMove | null> {
  presentWait()?.end(null)
  return new Promise((resolve) => {
    const stop = new AbortController()
    const waiting: Waiting = {
      end: (move) => {
        stop.abort()
        if (move !== null) dropSubmitGuard() // from now on, the page is theirs
        hide?.()
        if (presentWait() === waiting) Reflect.deleteProperty(globalThis, PLACE)
        resolve(move)
      },
    }
    const hear = (event: Event): void => {
      if (isInput(event)) waiting.end('take_over')
    }
    Object.assign(globalThis, { [PLACE]: waiting })
    const hide = words && showPill(page, words, (move) => waiting.end(move))
    if (isTheirs) return dropSubmitGuard()
    const options = { capture: true, passive: true, signal: stop.signal }
    for (const type of INPUT) page.defaultView?.addEventListener(type, hear, options)
  })
}

/** Nobody acts here any more. */
export function leaveOwner(): void {
  dropSubmitGuard()
  presentWait()?.end(null)
}

/** Real input alone: what Penny does is no input of a person, and neither is what page scripts make up. */
function isInput(event: Event): boolean {
  if (!event.isTrusted || (event.target instanceof Element && isOwnHost(event.target))) return false
  return !(event instanceof KeyboardEvent && KEYS_OF_NOTHING.has(event.key))
}

function presentWait(): Waiting | null {
  const waiting: unknown = Reflect.get(globalThis, PLACE)
  return waiting instanceof Object ? (waiting as Waiting) : null
}
