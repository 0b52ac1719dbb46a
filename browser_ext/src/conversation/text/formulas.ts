// Formulas, which stand in the HTML as code between TeX's brackets, drawn as MathML.
import type { render } from 'katex'

const TEX_CODE = /^\\([([])(.+)\\[)\]]$/s
// `trust` would let a formula load and link. A formula that cannot be drawn stays as its source.
const OPTIONS = {
  output: 'mathml',
  throwOnError: true,
  trust: false,
  strict: 'ignore',
  maxSize: 20,
  maxExpand: 300,
} as const
let loading: Promise<typeof render> | undefined

/** Draw the formulas in an element, each in the place of its code. Resolves when all are drawn. */
export async function drawFormulas(root: ParentNode): Promise<void> {
  const codes = [...root.querySelectorAll('code')].filter((code) => texIn(code))
  const places = codes.map((code) => placeFor(code))
  if (places.length === 0) return
  loading ??= import('katex').then((module) => module.render)
  const drawer = await loading
  for (const place of places) draw(drawer, place)
}

function texIn(element: HTMLElement): RegExpExecArray | null {
  return TEX_CODE.exec(element.textContent?.trim() ?? '')
}

/**
 * Wrap the code in the element that will hold the formula, before anything is loaded: the caller still finds its code.
 */
function placeFor(code: HTMLElement): HTMLElement {
  const block = code.closest('pre')
  const place = document.createElement(block ? 'div' : 'span')
  place.className = 'formula'
  ;(block ?? code).replaceWith(place)
  place.append(code)
  return place
}

function draw(drawer: typeof render, place: HTMLElement): void {
  const [, bracket, tex] = texIn(place) ?? []
  if (!tex) return
  const holder = document.createElement('span')
  try {
    drawer(tex, holder, { ...OPTIONS, displayMode: bracket === '[' })
  } catch {
    return
  }
  place.replaceChildren(...holder.childNodes)
}
