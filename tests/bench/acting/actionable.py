"""What a person could act on, told without the code that is measured: controls of HTML and ARIA that have a box."""

SCRIPT = """
const ACTIONABLE =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, ' +
  '[contenteditable=""], [contenteditable=true], [onclick], [role=button], [role=link], ' +
  '[role=checkbox], [role=radio], [role=tab], [role=menuitem], [role=option], [role=switch], ' +
  '[role=combobox], [role=textbox], [role=slider], [role=spinbutton], [tabindex]:not([tabindex^="-"])'

function isActionable(element) {
  if (element.disabled || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
  const { width, height } = element.getBoundingClientRect()
  return width >= 2 && height >= 2 && getComputedStyle(element).pointerEvents !== 'none'
}

/** Whether a pointer comes to it once it is scrolled to. It may be cut off, covered, or beside the page. */
function isReached(element) {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const hit = document.elementFromPoint(left + width / 2, top + height / 2)
  return element.contains(hit) && element.closest('[inert]') === null
}

/** An element counts as told, too, where it is a part of a link or button, or a box around one control alone. */
function coverageOf(told) {
  const all = [...document.querySelectorAll(ACTIONABLE)].filter(isActionable)
  const isPart = (element) => {
    for (let outer = element.parentElement; outer; outer = outer.parentElement)
      if (told.has(outer) && (outer.localName === 'a' || outer.localName === 'button')) return true
    return false
  }
  const isBox = (element) => {
    const inner = [...element.querySelectorAll(ACTIONABLE)]
    return inner.length === 1 && told.has(inner[0])
  }
  const missing = all.filter((element) => !told.has(element) && !isPart(element) && !isBox(element))
  const words = (element) => element.outerHTML.slice(0, 160).replace(/\\s+/g, ' ')
  return { all: all.length, missing: missing.map(words), reached: missing.filter(isReached).map(words) }
}
"""
