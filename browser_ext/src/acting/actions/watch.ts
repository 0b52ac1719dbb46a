// Watches what an act does to the page, and when the page is quiet again. A look is cheap: the background looks often.
import { oneLine } from '../../extract/plain_text'
import { shadowOf } from '../../extract/shadow_roots'
import type { References } from '../references'
import { folded } from '../snapshot/find'
import { documentName } from './document_name'
import { focusedElement } from './focus'
import { stoppedSubmit, type StoppedSubmit } from './submits'

/** What the page shows of an act so far. */
export interface PageLook {
  /** Another one means another document. */
  document: string
  href: string
  hasChanged: boolean
  /** Since the last change, or since the act. */
  quietMs: number
  /** A dialog, menu or list still fades or slides, or has yet to come. */
  isComing: boolean
  isLoaded: boolean
  focus: number | null
  /** Dialogs, menus and lists that came. */
  opened: number[]
  /** Whether the page shows the text that was looked for. */
  hasText: boolean
  /** A form that was stopped since the act. */
  stopped: StoppedSubmit | null
  /** The first free number. */
  next: number
}

interface Watch {
  document: string
  end: AbortController
  href: string
  focus: Element | null
  fronts: Set<Element>
  /** A control that was closed, and may open something a moment later. */
  opener: Element | null
  /** Moments of `performance.now()`, and one of the animations. */
  beganAt: number
  lastAt: number
  animatedAt: number
  hasChanged: boolean
}

const PLACE = 'pennyWatch'
const OPENED_MOST = 20
const FRONTS =
  'dialog[open], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [aria-modal="true"]'
const OPENERS = '[aria-haspopup]:not([aria-haspopup="false"]), [role="combobox"], [aria-expanded]'
const OPEN_MS = 500
const EVENTS = ['input', 'change', 'scroll', 'toggle'] as const

function presentWatch(): Watch | null {
  const watch: unknown = Reflect.get(globalThis, PLACE)
  return watch instanceof Object ? (watch as Watch) : null
}

/** Begin anew, before an act. `used`: what it is done to. `mayOpen`: which may open something. */
export function beginWatch(page: Document, used: Element | null = null, mayOpen = false): void {
  presentWatch()?.end.abort()
  const note = (): void => {
    watch.hasChanged = true
    watch.lastAt = performance.now()
  }
  const observer = new MutationObserver(note)
  const end = new AbortController()
  end.signal.addEventListener('abort', () => observer.disconnect())
  const watch: Watch = {
    document: documentName(),
    end,
    href: page.URL,
    focus: focusedElement(page, shadowOf),
    fronts: new Set(frontsOf(page)),
    opener: mayOpen ? openerOf(used) : null,
    beganAt: performance.now(),
    lastAt: performance.now(),
    animatedAt: animationTime(page),
    hasChanged: false,
  }
  const roots = new Set<Node>(used ? [page, used.getRootNode()] : [page])
  for (const root of roots) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
    for (const type of EVENTS) root.addEventListener(type, note, { capture: true, passive: true, signal: end.signal })
  }
  Object.assign(globalThis, { [PLACE]: watch })
}

export interface LookRequest {
  /** The first number that no element of the tab has. */
  next: number
  /** Whether to watch anew from now on. */
  begins?: boolean
  /** To be looked for in what the page shows, folded and on one line. */
  text?: string
}

export function lookAtPage(page: Document, references: References, request: LookRequest): PageLook {
  references.continueFrom(request.next)
  // The document may be another one than that in which the watching began: it has to become quiet, too.
  if (request.begins || !presentWatch()) beginWatch(page)
  const watch = presentWatch()
  const focus = focusedElement(page, shadowOf)
  const all = frontsOf(page)
  const fronts = all.filter((front) => watch && !watch.fronts.has(front))
  const isComing = watch !== null && ((fronts.length === 0 && isOpening(watch)) || all.some((one) => moves(one, watch)))
  return {
    document: documentName(),
    href: page.URL,
    hasChanged: watch !== null && (watch.hasChanged || watch.focus !== focus || watch.href !== page.URL),
    quietMs: watch && !isComing ? performance.now() - watch.lastAt : 0,
    isComing,
    isLoaded: page.readyState !== 'loading',
    focus: focus && focus !== watch?.focus ? references.numberOf(focus) : null,
    opened: fronts.slice(0, OPENED_MOST).map((front) => references.numberOf(front)),
    hasText: request.text !== undefined && folded(oneLine(page.body?.innerText ?? '')).includes(request.text),
    stopped: stoppedSubmit(),
    next: references.next,
  }
}

/** Whether it began to fade or slide since the act. What moves for ever is not waited for. */
function moves(front: Element, { animatedAt }: Watch): boolean {
  return (front.ownerDocument.getAnimations?.() ?? []).some(({ playState, startTime, effect }) => {
    const target = (effect as KeyframeEffect | null)?.target
    const isAround = !!target && (target.contains(front) || front.contains(target))
    const isNew = startTime === null || Number(startTime) >= animatedAt
    return isAround && isNew && playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
  })
}

function animationTime(page: Document): number {
  return Number(page.timeline?.currentTime ?? 0)
}

/** Return the control that opens something, unless that is open. */
function openerOf(used: Element | null): Element | null {
  const opener = used?.closest(OPENERS) ?? null
  return opener?.getAttribute('aria-expanded') === 'true' ? null : opener
}

/** Pages often fetch or draw a list a moment after the press. */
function isOpening({ opener, beganAt }: Watch): boolean {
  if (!opener?.isConnected || opener.getAttribute('aria-expanded') === 'true') return false
  return performance.now() - beganAt < OPEN_MS
}

function frontsOf(page: Document): Element[] {
  return [...page.querySelectorAll(FRONTS)].filter((front) => front.checkVisibility({ visibilityProperty: true }))
}
