// What is closed on a page and can be opened by something that is seen: the panel of a tab, the answer below a question, details.

/** Returns whether something that is seen opens the element. */
export type Openers = (element: Element) => boolean

const CONTROLS =
  '[aria-controls], [data-target], [data-bs-target], [data-toggle][href^="#"], [data-bs-toggle][href^="#"], [role="tab"][href^="#"]'
const COLLAPSED = '[aria-expanded="false"]'
/** Menus and what lies over the page are not parts of it. */
const APART =
  'nav, dialog, header, footer, [popover], [aria-modal], [role="navigation"], [role="menu"], [role="menubar"], [role="listbox"], [role="dialog"], [role="alertdialog"], [role="banner"], [role="contentinfo"]'
const PRESSED = 'button, a, summary, [role="button"], [role="tab"], [onclick], input[type="button"], label'
/** Of the toggles that frameworks know, those that open a part of the page where it stands. */
const TOGGLES = new Set(['collapse', 'tab', 'pill', 'accordion'])
/** What stands right before a closed part and says that it is collapsed is a line, not a section. */
const LINE_CHARACTERS = 300

/** For one look at the page as it is now. */
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
  return collapsedElements.length === 1 && (before?.textContent?.length ?? 0) <= LINE_CHARACTERS ? collapsedElements : []
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
  const targetIds = toggle === null || TOGGLES.has(toggle) ? targets.filter((target) => target.startsWith('#')).map((target) => target.slice(1)) : []
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
