// The snapshot of one frame: its lines, with what stands in front of the page first.
import { urlToStore, webUrl } from '../../grants/hosts'
import { oneLine, TITLE_CHARACTERS } from '../../extract/plain_text'
import type { PageState } from '../page_state'
import { placeOfPage } from './frame_places'
import type { Line } from './line'
import { packLines } from './packed_lines'
import { Walk, type FrontLines, type Walked } from './walk'

/** What the background asks of a frame. */
export interface SnapshotArguments {
  /** The first number that no element of the tab has. */
  next: number
  /** `controls`: no text, nothing folded. `all`: also what lies beneath a dialog. */
  filter?: 'controls' | 'all'
  /** Only what lies below this element, with longer texts. */
  ref?: number
  /** Add the paths of links to the same site. */
  hrefs?: boolean
}

export interface FrameSnapshot {
  url: string
  title: string
  /** The way to it through frames: the place of each in its parent. */
  place: number[]
  /** Packed, as they go out of the page. */
  lines: string
  /** The first free number afterwards. */
  next: number
  /** Controls with this number and later ones are new since the last snapshot. 0: there was none. */
  newFrom: number
  /** Which screenful shows, of how many. */
  view: [number, number]
  isCut: boolean
}

const FOCUS_CHARACTERS = 4_000
const LINES_MOST = 6_000
/** Of a front with one short line. */
const SHORT = 160

/** Return null for a `ref` that is not in the page. */
export function snapshotOf(page: Document, state: PageState, options: SnapshotArguments): FrameSnapshot | null {
  const { references } = state
  references.continueFrom(options.next)
  const root = options.ref === undefined ? undefined : references.elementOf(options.ref)
  if (root === null) return null
  const newFrom = state.hasSnapshot ? references.next : 0
  const walk = walkPage(page, state, options, root && partAround(root))
  const lines = arranged(walk, options.filter === 'all' || root !== undefined)
  state.hasSnapshot = true
  const address = webUrl(page.URL)
  return {
    url: address ? urlToStore(address) : '',
    title: oneLine(page.title).slice(0, TITLE_CHARACTERS),
    place: placeOfPage(page.defaultView),
    lines: packLines(lines.slice(0, LINES_MOST)),
    next: references.next,
    newFrom,
    view: viewOf(page),
    isCut: walk.isCut || lines.length > LINES_MOST,
  }
}

/** Walk the page and remember its controls. */
export function walkPage(
  page: Document,
  state: PageState,
  options: Partial<SnapshotArguments>,
  root?: Element,
): Walked {
  const walk = new Walk(page, state.references, {
    onlyControls: options.filter === 'controls',
    withPaths: options.hrefs ?? false,
    ...(root && { textCharacters: FOCUS_CHARACTERS }),
  }).run(root)
  for (const control of walk.controls) state.controls.set(control.ref, control)
  return walk
}

/** The block in which the element stands. */
function partAround(element: Element): Element {
  let part = element
  while (part.parentElement && getComputedStyle(part).display.startsWith('inline')) part = part.parentElement
  return part
}

/** Fronts first, the newest of them at the top: it lies over the others. */
function arranged({ fronts, lines }: Walked, showsBeneath: boolean): Line[] {
  const first = fronts.toReversed().flatMap(linesOfFront)
  if (showsBeneath || !fronts.some(({ isModal }) => isModal) || lines.length === 0) return [...first, ...lines]
  return [...first, plain(`beneath: ${lines.length} lines`)]
}

function linesOfFront({ kind, name, lines }: FrontLines): Line[] {
  const head = `! ${kind}${name ? ` "${name}"` : ''}:`
  const [only] = lines
  if (only && lines.length === 1 && only.text.length <= SHORT) return [{ ...only, text: `${head} ${only.text}` }]
  return [plain(head), ...lines]
}

function plain(text: string): Line {
  return { text, refs: [] }
}

function viewOf({ defaultView: view, scrollingElement }: Document): [number, number] {
  const height = view?.innerHeight ?? 0
  if (!view || !scrollingElement || height <= 0) return [1, 1]
  const count = Math.max(1, Math.ceil(scrollingElement.scrollHeight / height))
  return [Math.min(count, 1 + Math.round(view.scrollY / height)), count]
}
