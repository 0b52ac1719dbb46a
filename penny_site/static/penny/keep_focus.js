// A part of a page that refreshes itself leaves the owner where they are: the same button, link or field has the focus
// again, and an open menu stays open.
const POLLS = '[hx-trigger*="every"]'
const STOPS = 'main :is(a[href], button, summary, input, select, textarea)'
/** @type {{ key: string, menuKey: string | null } | null} */
let before = null

/**
 * What an element is, so that the one in its place can be told after the refresh. Times in a link's words pass.
 * @param {Element} element
 */
function keyOf(element) {
  if (element instanceof HTMLAnchorElement) return `a ${element.href}`
  const words = element.matches('summary') ? element.textContent.trim() : ''
  const { form, name, value } = /** @type {Partial<HTMLInputElement>} */ (element)
  return [element.tagName, form?.action, name, value, words].join('\n')
}

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  const focused = document.activeElement
  if (!detail.shouldSwap || !detail.requestConfig?.elt.matches(POLLS) || !focused?.matches(STOPS)) return
  const summary = focused.closest('.pop[open]')?.querySelector('summary')
  before = { key: keyOf(focused), menuKey: summary ? keyOf(summary) : null }
})

/** @param {string} key */
const withKey = (key) => [...document.querySelectorAll(STOPS)].find((element) => keyOf(element) === key)

// Nothing is taken from an element that has the focus by now.
document.addEventListener('htmx:afterSettle', () => {
  if (!before || document.activeElement !== document.body) return
  const { key, menuKey } = before
  if (menuKey !== null) withKey(menuKey)?.closest('.pop')?.setAttribute('open', '')
  ;(withKey(key) ?? document.getElementById('main'))?.focus({ preventScroll: true })
  before = null
})
