// Collapsed parts that a visible control opens: a tab's panel, the answer below a question, details.

/** Return whether a visible control opens the element. */
export type Openers = (element: Element) => boolean

const CONTROLS =
  '[aria-controls], [data-target], [data-bs-target], [data-toggle][href^="#"], [data-bs-toggle][href^="#"], [role="tab"][href^="#"]'
const COLLAPSED = '[aria-expanded="false"]'
/** Menus and overlays are not part of the page. */
const APART =
  'nav, dialog, header, footer, [popover], [aria-modal], [role="navigation"], [role="menu"], [role="menubar"], [role="listbox"], [role="dialog"], [role="alertdialog"], [role="banner"], [role="contentinfo"]'
const PRESSED = 'button, a, summary, [role="button"], [role="tab"], [onclick], input[type="button"], label'
/** Toggles of frameworks that open a part of the page in place. */
const TOGGLES = new Set(['collapse', 'tab', 'pill', 'accordion'])
/** The collapsed control right before a part is a line, not a section. */
const LINE_CHARACTERS = 300

/** Valid for the present state of the page. */
export function openersOf(page: Document): Openers {
  let cache: Map<string, Element[]> | null = null
  const opening = (id: string) => (cache ??= controlsOf(page)).get(id) ?? []
  return (element) => !element.closest(APART) && openersNear(element, opening).some(isOpener)
}

function openersNear(element: Element, opening: (id: string) => Element[]): Element[] {
  if (element.localName === 'details') return [...element.querySelectorAll(':scope > summary:first-of-type')]
  const labels = element.getAttribute('role') === 'tabpanel' ? idsIn(element.getAttribute('aria-labelledby')) : []
  const labelElements = labels.flatMap((id) => element.ownerDocument.getElementById(id) ?? [])
  return [...(element.id ? opening(element.id) : []), ...labelElements, ...collapsedBefore(element)]
}

function collapsedBefore({ previousElementSibling: before }: Element): Element[] {
  const collapsedElements = before?.matches(COLLAPSED) ? [before] : [...(before?.querySelectorAll(COLLAPSED) ?? [])]
  return collapsedElements.length === 1 && (before?.textContent?.length ?? 0) <= LINE_CHARACTERS
    ? collapsedElements
    : []
}

function controlsOf(page: Document): Map<string, Element[]> {
  const togglesById = new Map<string, Element[]>()
  for (const control of page.querySelectorAll(CONTROLS)) {
    for (const id of idsOf(control)) togglesById.set(id, [...(togglesById.get(id) ?? []), control])
  }
  return togglesById
}

function idsOf(control: Element): string[] {
  const toggle = control.getAttribute('data-bs-toggle') ?? control.getAttribute('data-toggle')
  const targets = ['data-bs-target', 'data-target', 'href'].flatMap((name) => idsIn(control.getAttribute(name)))
  const targetIds =
    toggle === null || TOGGLES.has(toggle)
      ? targets.filter((target) => target.startsWith('#')).map((target) => target.slice(1))
      : []
  return [...idsIn(control.getAttribute('aria-controls')), ...targetIds]
}

function idsIn(value: string | null): string[] {
  return value?.split(/\s+/).filter((id) => id !== '') ?? []
}

function isOpener(control: Element): boolean {
  const popup = control.getAttribute('aria-haspopup')
  if ((popup !== null && popup !== 'false') || control.closest(APART) || !control.closest(PRESSED)) return false
  const { width, height, right, bottom } = control.getBoundingClientRect()
  const { scrollX = 0, scrollY = 0 } = control.ownerDocument.defaultView ?? {}
  const isWithin = width >= 2 && height >= 2 && right + scrollX > 0 && bottom + scrollY > 0
  return isWithin && control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
}
