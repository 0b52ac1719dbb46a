// One page out of the snapshots of its frames. A frame that Penny may not see is one line without controls.
import type { Line } from './line'
import { unpackLines } from './packed_lines'
import type { FrameSnapshot } from './snapshot'

interface PageFrame {
  host: string
  isAllowed: boolean
}

/** The snapshot of a page with its frames. */
export interface WholeSnapshot {
  url: string
  title: string
  lines: Line[]
  refs: number
  newFrom: number
  next: number
  view: [number, number]
  frames: PageFrame[]
  isCut: boolean
}

const FRAMES_MOST = 50

/** Join the frames of a tab. `snapshots` holds those that Penny may see, the top one first. */
export function joinFrames(snapshots: readonly FrameSnapshot[]): WholeSnapshot | null {
  const top = snapshots.find(({ place }) => place.length === 0)
  if (!top) return null
  const join = new Join(snapshots)
  const lines = join.linesOf(top)
  const { url, title, view } = top
  return {
    url,
    title,
    lines,
    refs: lines.reduce((sum, { refs }) => sum + refs.length, 0),
    newFrom: top.newFrom,
    next: Math.max(...snapshots.map(({ next }) => next)),
    view,
    frames: join.frames,
    isCut: join.isCut,
  }
}

class Join {
  readonly frames: PageFrame[] = []
  isCut = false

  constructor(private readonly snapshots: readonly FrameSnapshot[]) {}

  linesOf(snapshot: FrameSnapshot): Line[] {
    this.isCut ||= snapshot.isCut
    return unpackLines(snapshot.lines).flatMap((line) =>
      line.frame ? this.#frame(line, line.frame, snapshot.place) : [line],
    )
  }

  #frame(line: Line, { place, host }: NonNullable<Line['frame']>, outer: readonly number[]): Line[] {
    const path = [...outer, place].join('.')
    const inner = place < 0 ? undefined : this.snapshots.find((snapshot) => snapshot.place.join('.') === path)
    const hostInside = (inner && URL.canParse(inner.url) && new URL(inner.url).host) || host
    if (this.frames.length < FRAMES_MOST) this.frames.push({ host: hostInside, isAllowed: inner !== undefined })
    if (!inner) return [{ ...line, text: `[frame ${hostInside}: not allowed]` }]
    const lines = this.linesOf(inner)
    return lines.length === 0 ? [] : [{ ...line, text: `[frame ${hostInside}]` }, ...lines]
  }
}
