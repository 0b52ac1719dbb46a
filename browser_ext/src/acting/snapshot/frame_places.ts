// Where a frame stands among the frames of its page. Pages of several sites may compare their windows, and nothing
// more.

/** Nothing for people is nested deeper. */
const DEEPEST = 8

/** Return the way from the top to this window: its place among the frames of its parent, for each level. */
export function placeOfPage(view: Window | null): number[] {
  const places: number[] = []
  for (let at = view; at && at.parent !== at && places.length < DEEPEST; at = at.parent)
    places.unshift(placeIn(at.parent, at))
  return places
}

export function placeIn(parent: Window, frame: Window | null): number {
  for (let place = 0; place < parent.length; place++) if (parent[place] === frame) return place
  return -1
}

/** The address that the page gave it. Where it is now, only the browser knows. */
export function hostOfFrame(frame: HTMLIFrameElement): string {
  return URL.canParse(frame.src) ? new URL(frame.src).host : location.host
}
