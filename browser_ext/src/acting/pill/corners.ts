// Where the pill stands: in a corner of the window. Its owner moves it to the next one, and it makes room for an act.

const CORNERS = ['bottom right', 'bottom left', 'top left', 'top right'] as const
const EDGE = '12px'
/** In our isolated world, so that the next pill of this page stands there too. */
const PLACE = 'pennyCorner'

interface Corner {
  at: number
  pill: HTMLElement | null
}

export function moveByHand(pill: HTMLElement, button: HTMLElement): void {
  const corner = presentCorner()
  corner.pill = pill
  place(corner)
  button.addEventListener('click', (event) => {
    if (event.isTrusted) moveOn(corner)
  })
}

/** Move the pill away from what is acted on, so that its owner sees what happens. Beneath all corners, it stays. */
export function makeRoom(element: Element): void {
  const corner = presentCorner()
  for (let tries = 0; tries < CORNERS.length && covers(corner.pill, element); tries++) moveOn(corner)
}

function moveOn(corner: Corner): void {
  corner.at = (corner.at + 1) % CORNERS.length
  place(corner)
}

function place({ at, pill }: Corner): void {
  const name = CORNERS[at] ?? CORNERS[0]
  for (const side of ['top', 'bottom', 'left', 'right'] as const)
    pill?.style.setProperty(side, name.includes(side) ? EDGE : 'auto')
}

function covers(pill: HTMLElement | null, element: Element): boolean {
  if (!pill?.isConnected) return false
  const [own, other] = [pill.getBoundingClientRect(), element.getBoundingClientRect()]
  const isBeside = own.right < other.left || other.right < own.left
  const isAbove = own.bottom < other.top || other.bottom < own.top
  return own.width > 0 && !isBeside && !isAbove
}

function presentCorner(): Corner {
  const present: unknown = Reflect.get(globalThis, PLACE)
  if (present instanceof Object) return present as Corner
  const corner: Corner = { at: 0, pill: null }
  Object.assign(globalThis, { [PLACE]: corner })
  return corner
}
