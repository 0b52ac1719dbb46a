// Chooses in lists that a page draws itself: comboboxes that open one, and listboxes that stand there.
import { accessibleName } from '../names/accessible_name'
import { roleOf } from '../names/roles'
import { folded } from '../snapshot/find'
import { usable, type Usable } from './actionable'
import { chooseFrom, matchIn, type Choice } from './choices'
import { ActFailure } from './failure'
import { pressKey, typeCharacter } from './keys'
import { click } from './pointer'
import { insertText, isTextField, selectWhole, setByPrototype, enteredText } from './text'
import { until } from './until'
import { moveFocus } from './focus'

/** Throws where pressing it would do more than choose. */
export interface Guard {
  assertFree(element: Element, doing: { do: 'click' }): void
}

const OPTIONS = '[role="option"], [role="menuitemradio"], [role="treeitem"]'
const OPTIONS_MOST = 500
const OPEN_MS = 500
const OPTIONS_MS = 2_000
const VERIFY_MS = 500
/** How often a list may be drawn anew while it is looked at. */
const DRAWN_MOST = 5

export function isCombobox(element: Element): boolean {
  return (
    element.localName !== 'select' &&
    (roleOf(element) === 'combobox' || element.getAttribute('aria-haspopup') === 'listbox')
  )
}

/** Open the list, wait for the option, press it, and look whether the page shows it. */
export async function chooseInCombobox(element: Element, wish: string, guard: Guard): Promise<void> {
  const page = element.ownerDocument
  const before = new Set(optionsIn(page))
  await open(element, before, guard)
  if (isTextField(element) && !element.readOnly) writeToFilter(element, wish)
  const hasMatch = (): true | null => (matchIn(choicesOf(element, before), wish).length === 1 ? true : null)
  const choose = async (turnsLeft: number): Promise<Choice<Element> & Usable> => {
    await until(page, hasMatch, OPTIONS_MS)
    const choice = chooseFrom(choicesOf(element, before), wish)
    try {
      return { ...choice, ...(await usable(choice.target)) }
    } catch (failure) {
      // The page drew its list anew
      if (choice.target.isConnected || turnsLeft === 0) throw failure
      return choose(turnsLeft - 1)
    }
  }
  const { hit, point, ...choice } = await choose(DRAWN_MOST)
  guard.assertFree(choice.target, { do: 'click' })
  click(hit, { point })
  const isShown = (): true | null => (showsChoice(element, choice) ? true : null)
  if (!(await until(page, isShown, VERIFY_MS)))
    throw new ActFailure('value_refused', `The page does not show “${choice.label}” as chosen.`)
}

/** Choose options of a listbox that stands in the page. */
export async function chooseInListbox(list: Element, wish: readonly string[], guard: Guard): Promise<void> {
  const choices = choicesIn([...list.querySelectorAll(OPTIONS)].slice(0, OPTIONS_MOST))
  for (const one of wish) {
    const { target, label } = chooseFrom(choices, one)
    if (isSelected(target)) continue
    const { hit, point } = await usable(target)
    guard.assertFree(target, { do: 'click' })
    click(hit, { point })
    if (!(await until(list.ownerDocument, () => (isSelected(target) ? true : null), VERIFY_MS)))
      throw new ActFailure('value_refused', `The page does not show “${label}” as chosen.`)
  }
}

async function open(element: Element, before: ReadonlySet<Element>, guard: Guard): Promise<void> {
  const page = element.ownerDocument
  const isOpen = (): true | null => (choicesOf(element, before).length > 0 ? true : null)
  if (element.getAttribute('aria-expanded') === 'true' && isOpen()) return
  const { hit, point } = await usable(element)
  guard.assertFree(element, { do: 'click' })
  click(hit, { point })
  if (await until(page, isOpen, OPEN_MS)) return
  moveFocus(element as HTMLElement)
  pressKey(page, 'ArrowDown')
  await until(page, isOpen, OPEN_MS)
}

/** Write what is wish, so that the page offers it. */
function writeToFilter(field: HTMLInputElement | HTMLTextAreaElement, wish: string): void {
  moveFocus(field)
  selectWhole(field)
  if (insertText(field.ownerDocument, wish) && enteredText(field) === wish) return
  setByPrototype(field, '', null)
  for (const character of wish) typeCharacter(field, character)
}

/** The options of its list: the one that it names, or those that were not there before. */
function choicesOf(element: Element, before: ReadonlySet<Element>): Choice<Element>[] {
  const own = listsOf(element).flatMap((list) => [...list.querySelectorAll(OPTIONS)])
  const all = own.length > 0 ? own : optionsIn(element.ownerDocument).filter((option) => !before.has(option))
  return choicesIn(all.filter((option) => option.checkVisibility({ visibilityProperty: true })).slice(0, OPTIONS_MOST))
}

function listsOf(element: Element): Element[] {
  const root = element.getRootNode() as Document | ShadowRoot
  const ids = ['aria-controls', 'aria-owns'].flatMap((name) => (element.getAttribute(name) ?? '').split(/\s+/))
  return ids.flatMap((id) => (id ? (root.getElementById(id) ?? element.ownerDocument.getElementById(id) ?? []) : []))
}

function optionsIn(page: Document): Element[] {
  return [...page.querySelectorAll(OPTIONS)].slice(0, OPTIONS_MOST)
}

function choicesIn(options: readonly Element[]): Choice<Element>[] {
  return options.map((target) => ({
    label: accessibleName(target) || (target.textContent ?? ''),
    value: target.getAttribute('data-value') ?? undefined,
    target,
  }))
}

function isSelected(option: Element): boolean {
  return ['aria-selected', 'aria-checked'].some((name) => option.getAttribute(name) === 'true')
}

/** In its value or its words, or near it where the page draws the value beside the field. */
function showsChoice(element: Element, { label, target }: Choice<Element>): boolean {
  const wish = folded(label.trim())
  const around = [element, element.parentElement, element.parentElement?.parentElement]
  const texts = around.map((one) => (one instanceof HTMLElement ? (one.innerText ?? one.textContent ?? '') : ''))
  const value = isTextField(element) ? element.value : ''
  return [value, ...texts].some((text) => folded(text).includes(wish)) || (target.isConnected && isSelected(target))
}
