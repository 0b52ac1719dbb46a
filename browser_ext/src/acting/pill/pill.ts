// A border around a page that Penny acts on, and a pill with which its owner stops her or takes the page. It stands in
// the top layer, in a closed shadow tree: page scripts reach nothing of it, and may at most remove it whole.
import { placeOwnHost } from '../../extract/shadow_roots'
import { moveByHand } from './corners'
import { stayOnTop } from './top_layer'

export type OwnerMove = 'stop' | 'take_over' | 'hand_back'

export interface PillWords {
  title: string
  /** The name of the button that moves the pill. */
  move: string
  buttons: { move: OwnerMove; name: string }[]
}

const HTML = 'http://www.w3.org/1999/xhtml'
const SVG = 'http://www.w3.org/2000/svg'
const COPPER = '#a84f23'
const LIGHT = '#fff6ef'
const HOST = [
  'all: initial; position: fixed; inset: 0; width: auto; height: auto; margin: 0; padding: 0; overflow: visible;',
  `background: transparent; border: 3px solid ${COPPER}; box-sizing: border-box; pointer-events: none;`,
].join('')
const PILL = [
  'position: absolute; display: flex; align-items: center; gap: 6px; max-width: calc(100% - 24px);',
  `flex-wrap: wrap; padding: 4px 6px 4px 14px; border-radius: 22px; background: ${COPPER}; color: ${LIGHT};`,
  'font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 2px 10px rgb(0 0 0 / 35%); pointer-events: auto; box-sizing: border-box;',
].join('')
const BUTTON = [
  `min-height: 32px; min-width: 32px; padding: 4px 12px; border: 0; border-radius: 16px; background: ${LIGHT};`,
  'color: #5c2a12; font: 600 14px/1.4 system-ui, sans-serif; cursor: pointer;',
].join('')

/** Show it in place of what it showed before. `choose` hears real presses alone. Returns how to take it away. */
export function showPill(page: Document, words: PillWords, choose: (move: OwnerMove) => void): () => void {
  const host = page.createElementNS(HTML, 'div')
  host.popover = 'manual'
  for (const declaration of HOST.split(';').filter((one) => one.trim() !== '')) {
    const [name = '', value = ''] = declaration.split(':')
    host.style.setProperty(name.trim(), value.trim(), 'important')
  }
  const pill = part(page, 'div', PILL)
  pill.setAttribute('role', 'group')
  pill.setAttribute('aria-label', words.title)
  const title = part(page, 'span', '')
  title.textContent = words.title
  const buttons = words.buttons.map(({ move, name }) => {
    const button = part(page, 'button', BUTTON)
    button.textContent = name
    button.addEventListener('click', (event) => {
      if (event.isTrusted) choose(move)
    })
    return button
  })
  const mover = part(page, 'button', `${BUTTON} padding: 4px;`)
  mover.setAttribute('aria-label', words.move)
  mover.title = words.move
  mover.append(arrows(page))
  moveByHand(pill, mover)
  pill.append(mover, title, ...buttons)
  host.attachShadow({ mode: 'closed' }).append(pill)
  const forget = placeOwnHost(host, pill)
  const leave = stayOnTop(page, host)
  return () => {
    leave()
    host.remove()
    forget()
  }
}

function arrows(page: Document): SVGElement {
  const svg = page.createElementNS(SVG, 'svg')
  const path = page.createElementNS(SVG, 'path')
  for (const [name, value] of Object.entries({
    viewBox: '0 0 16 16',
    width: '16',
    height: '16',
    'aria-hidden': 'true',
  }))
    svg.setAttribute(name, value)
  path.setAttribute('d', 'M8 1v14M1 8h14M6 3l2-2 2 2M6 13l2 2 2-2M3 6 1 8l2 2M13 6l2 2-2 2')
  path.setAttribute('style', 'fill: none; stroke: #5c2a12; stroke-width: 1.5')
  svg.append(path)
  return svg
}

function part(page: Document, name: string, style: string): HTMLElement {
  const element = page.createElementNS(HTML, name)
  element.style.cssText = style // by the object model: the policy of the page does not count
  return element
}
