// The bar of a reason: while it moves, the line below says what would change. Letting go of it teaches, or Enter.
const PAUSE_MS = 250 // after the last movement, before Penny computes
/** @type {number | undefined} */
let timer
/** @type {AbortController | undefined} */
let asking

/**
 * The bar that moved, its form, and the line below it.
 * @param {Event} event
 */
function barOf({ target }) {
  if (!(target instanceof HTMLInputElement && target.type === 'range')) return null
  /** @type {HTMLFormElement | null} */
  const form = target.closest('form[data-preview]')
  const line = document.getElementById(target.getAttribute('aria-describedby') ?? '')
  return form && line && { range: target, form, line, hasMoved: target.value !== target.defaultValue }
}
/** @typedef {NonNullable<ReturnType<typeof barOf>>} Bar */

function forget() {
  clearTimeout(timer)
  asking?.abort()
}

/** @param {Bar} bar */
async function preview({ range, form, line }) {
  asking = new AbortController()
  const { signal } = asking
  const thought = /** @type {HTMLInputElement} */ (form.elements.namedItem('thought'))
  const query = new URLSearchParams({ strength: range.value, thought: thought.value })
  try {
    const response = await fetch(`${form.dataset.preview}?${query.toString()}`, { signal })
    line.textContent = /** @type {{ words: string }} */ (await response.json()).words
  } catch {
    if (!signal.aborted) line.textContent = 'Penny does not answer. Try again in a moment.'
  }
}

/** @param {Bar} bar */
function teach({ form }) {
  forget()
  form.requestSubmit()
}

document.addEventListener('input', (event) => {
  const bar = barOf(event)
  if (!bar) return
  forget()
  timer = setTimeout(() => void preview(bar), PAUSE_MS)
})

document.addEventListener('pointerup', (event) => {
  const bar = barOf(event)
  if (bar?.hasMoved) teach(bar)
})

document.addEventListener('keydown', (event) => {
  const bar = barOf(event)
  if (!bar?.hasMoved || !['Enter', 'Escape'].includes(event.key)) return
  event.preventDefault() // the dialog around the bar stays open
  if (event.key === 'Enter') {
    teach(bar)
    return
  }
  bar.range.value = bar.range.defaultValue
  forget()
  bar.line.textContent = ''
})
