// Decides what an act on a live element would do: first by facts of form, address and role, then by words.
import { roleOf } from '../names/roles'
import { boundedText } from './bounded_text'
import { kindsOfAddress } from './addresses'
import {
  defaultButton,
  factsOf,
  type FormFacts,
  isCredential,
  isField,
  isNewPassword,
  isSubmitButton,
  plainName,
  scriptMethod,
  urlOf,
} from './form_facts'
import { type Doing, FREE, type Kind, type Target, UNKNOWN, type Verdict, verdictOf } from './kinds'
import { countCancels, meaningOf, type NameMeaning } from './name_words'

/** More text fields than a search has are a form. */
const SEARCH_FIELDS = 2
/** A link with a longer name is a title, which may speak of anything. */
const LINK_WORDS = 5
const LINK_CHARACTERS = 48
const DIALOG_CHARACTERS = 600
const DIALOG = 'dialog[open], [role="dialog" i], [role="alertdialog" i], [aria-modal="true" i]'
/** Pressing these moves within the page, or changes a value that is sent later. */
const FREE_ROLES = new Set(
  (
    'checkbox columnheader combobox grid gridcell heading listbox menuitemcheckbox menuitemradio option radio ' +
    'rowheader searchbox slider spinbutton tab textbox tree treeitem'
  ).split(' '),
)
const SWITCHES = 'input[type="checkbox" i], input[type="radio" i]'
const CHANGE_ATTRIBUTES = ['onchange', 'oninput', 'data-action']
const SUBMITS = /submit/i
const NAVIGATES = /\blocation\b|\bhref\b|\bopen\s*\(|navigat|visit/i
const ADDRESS = /^(?:https?:|[/.?#])/i
const AUTOMATIC = /^data-.*(?:auto-?submit|submit-?on-?change)/i
const ATTRIBUTES_MOST = 200

/** Return what the act would do. `site`: the host of the errand. */
export function consequencesOf(target: Target, doing: Doing, site: string): Verdict {
  if (doing.do === 'click') return clicked(target, site)
  return doing.do === 'enter' ? entered(target, site) : set(target, doing.submit, site)
}

/** Return what opening an address in the tab would do. */
export function consequencesOfOpening(address: URL, site: string): Verdict {
  const kinds = kindsOfAddress(address, site)
  return kinds ? verdictOf(kinds, 'sure') : UNKNOWN
}

/** Return what sending a form would do, whoever sends it. */
export function consequencesOfSubmitting(form: HTMLFormElement, button: Element | null, site: string): Verdict {
  return submission(form, button, button ? plainName(button) : '', site)
}

function set({ element }: Target, submits: boolean, site: string): Verdict {
  const own = isCredential(element)
    ? verdictOf(['credential'], 'sure', isNewPassword(element) ? 'new_password' : null)
    : FREE
  const form = formOf(element)
  if (submits) return joined(own, entered({ element, name: '' }, site))
  if (submitsOnChange(element, form)) {
    return joined(own, form ? submission(form, null, '', site) : verdictOf(['submit'], 'sure'))
  }
  return navigatesOnChange(element) ? joined(own, openedByValue(element, site)) : own
}

/** Whether a change of the field does more than change it. */
export function sendsOnChange(element: Element): boolean {
  return submitsOnChange(element, formOf(element)) || navigatesOnChange(element)
}

/** A field that opens what it holds is judged by that, as a link is. */
function openedByValue(element: Element, site: string): Verdict {
  const value = isField(element) ? element.value.trim() : ''
  const address = ADDRESS.test(value) ? urlOf(value, element) : null
  return address ? consequencesOfOpening(address, site) : UNKNOWN
}

function entered(target: Target, site: string): Verdict {
  const { element } = target
  if (!isField(element) && !isEditable(element)) return clicked(target, site)
  if (element.matches('textarea') || isEditable(element)) return UNKNOWN // a new line, or a message that is sent
  if (element.matches('input[type="button" i], input[type="submit" i], input[type="image" i]')) {
    return clicked(target, site)
  }
  const form = formOf(element)
  if (form) {
    const button = defaultButton(form)
    return submission(form, button, button ? plainName(button) : '', site)
  }
  const isSearch = element.matches('[type="search" i], [role="searchbox" i]') || element.closest('[role="search" i]')
  return isSearch || element.getAttribute('aria-expanded') === 'true' ? FREE : UNKNOWN
}

function clicked({ element, name }: Target, site: string): Verdict {
  const meaning = meaningOf(name)
  if (meaning.isCaptcha) return verdictOf([], 'sure', 'captcha')
  if (element.matches('input[type="file" i]')) return verdictOf(['upload'], 'sure')
  const form = formOf(element)
  if (form && isSubmitButton(element)) return submission(form, element, name, site)
  if (element.matches('input[type="reset" i], button[type="reset" i]')) return FREE
  if (form && submitsOnChange(element, form) && isField(element)) return submission(form, null, '', site)
  if (element.matches(SWITCHES) && navigatesOnChange(element)) return openedByValue(element, site)
  const link = element.closest('a[href], area[href]')
  return link && isAddress(link) ? followed(link, element, meaning, name, site) : pressed(element, meaning)
}

function isAddress(link: Element): boolean {
  const address = (link.getAttribute('href') ?? '').trim()
  return address !== '' && !address.startsWith('#') && !/^javascript:/i.test(address)
}

function followed(link: Element, element: Element, meaning: NameMeaning, name: string, site: string): Verdict {
  const address = urlOf(link.getAttribute('href') ?? '', link)
  const kinds = address && kindsOfAddress(address, site)
  if (!kinds) return UNKNOWN
  if (link.hasAttribute('download')) kinds.add('download')
  addMethod(kinds, scriptMethod(link))
  const sure = verdictOf(kinds, 'sure')
  if (opensSomething(element)) return sure
  const isTitle = name.length > LINK_CHARACTERS || name.trim().split(/\s+/).length > LINK_WORDS
  const words = [...(isTitle ? [] : meaning.final), ...(roleOf(link) === 'button' ? meaning.start : [])]
  return joined(sure, words.length > 0 ? verdictOf(words, 'words') : FREE)
}

function pressed(element: Element, meaning: NameMeaning): Verdict {
  const kinds = new Set<Kind>()
  addMethod(kinds, scriptMethod(element))
  if (kinds.size > 0) return verdictOf([...kinds, ...meaning.final, ...meaning.start], 'sure')
  if (opensSomething(element)) return FREE
  const role = roleOf(element)
  if (FREE_ROLES.has(role) || element.matches('label, input, select, textarea, summary')) return FREE
  const isButton = role !== 'menuitem' && role !== 'switch' && !element.hasAttribute('aria-expanded')
  const words = [...meaning.final, ...(isButton ? meaning.start : [])]
  const dialog = element.closest(DIALOG)
  if (dialog) words.push(...kindsOfAnswer(dialog, meaning))
  if (words.length > 0) return verdictOf(words, 'words')
  if (role === 'switch' || element.hasAttribute('aria-expanded')) return FREE
  return meaning.isFree || (meaning.isAnswer && !dialog) ? verdictOf([], 'words') : UNKNOWN
}

/** Yes, OK and Continue do what their dialog asks about; so does Cancel where the question is about cancelling. */
function kindsOfAnswer(dialog: Element, meaning: NameMeaning): Kind[] {
  if (!meaning.isAnswer && !meaning.isCancel) return []
  const text = boundedText(dialog, DIALOG_CHARACTERS)
  if (meaning.isCancel) return countCancels(text) > 1 ? ['delete'] : []
  const { final, start } = meaningOf(text)
  const asks = [...final, ...start].filter((kind) => kind !== 'confirm')
  return asks.length > 0 ? [...asks, 'confirm'] : []
}

function opensSomething(element: Element): boolean {
  const popup = element.getAttribute('aria-haspopup')
  return popup !== null && popup !== 'false' && popup !== ''
}

function submission(form: HTMLFormElement, button: Element | null, name: string, site: string): Verdict {
  const facts = factsOf(form, button && isSubmitButton(button) ? button : null)
  const meaning = meaningOf(name)
  const kinds = kindsOfForm(facts, site)
  const words = [...meaning.final, ...meaning.start]
  const task = facts.hasOpenCaptcha ? 'captcha' : facts.choosesPassword ? 'new_password' : null
  if (facts.method === 'dialog' && kinds.size === 0 && button) return pressed(button, meaning)
  if (facts.method === 'dialog') return verdictOf([...kinds, ...words], 'sure', task)
  if (kinds.size === 0 && isFreeSearch(facts)) {
    // Scripts handle many forms without an address: there, the button has to say that it searches.
    const isSaid = facts.hasAction || facts.isSearch || meaning.isFree
    if (words.length > 0) return verdictOf(words, 'words', task)
    return isSaid ? { ...FREE, ownerTask: task } : { ...UNKNOWN, ownerTask: task }
  }
  if (!isFreeSearch(facts)) kinds.add('submit')
  return verdictOf([...kinds, ...words], 'sure', task)
}

/** What the form does besides being submitted. */
function kindsOfForm(facts: FormFacts, site: string): Set<Kind> {
  const kinds = (facts.action && kindsOfAddress(facts.action, site)) ?? new Set<Kind>(['submit'])
  if (facts.hasCredential) kinds.add('credential')
  if (facts.hasPassword) kinds.add(facts.choosesPassword ? 'account' : 'sign_in')
  if (facts.hasFiles) kinds.add('upload')
  addMethod(kinds, facts.spokenMethod || null)
  return kinds
}

function isFreeSearch(facts: FormFacts): boolean {
  const isSmall = facts.textFields <= SEARCH_FIELDS && !facts.hasLongText
  return (
    facts.method === 'get' &&
    !facts.isTooLarge &&
    !facts.hasCredential &&
    !facts.hasPassword &&
    !facts.hasFiles &&
    (facts.isSearch || isSmall)
  )
}

function addMethod(kinds: Set<Kind>, method: string | null): void {
  if (method === 'delete') kinds.add('delete')
  if (method !== null && method !== 'get') kinds.add('submit')
}

function submitsOnChange(element: Element, form: HTMLFormElement | null): boolean {
  return [element, form].some((one) => one !== null && (saysSubmit(one) || (one === element && sends(one))))
}

function navigatesOnChange(element: Element): boolean {
  return isField(element) && changeScripts(element).some((script) => NAVIGATES.test(script))
}

function saysSubmit(element: Element): boolean {
  const names = element.getAttributeNames().slice(0, ATTRIBUTES_MOST)
  return names.some((name) => AUTOMATIC.test(name)) || changeScripts(element).some((script) => SUBMITS.test(script))
}

/** What the page runs when a field changes, as far as its attributes say. */
function changeScripts(element: Element): string[] {
  return CHANGE_ATTRIBUTES.flatMap((name) => {
    const script = (element.getAttribute(name) ?? '').slice(0, 2_000)
    return name !== 'data-action' || /change|input/.test(script) ? [script] : []
  })
}

/** A field with the method of a library sends itself when it changes. */
function sends(element: Element): boolean {
  return isField(element) && scriptMethod(element) !== null
}

export function formOf(element: Element): HTMLFormElement | null {
  const own = 'form' in element ? element.form : null
  return own instanceof HTMLFormElement ? own : element.closest('form')
}

function isEditable(element: Element): boolean {
  return element.closest('[contenteditable]:not([contenteditable="false" i])') !== null
}

/** What the page asks about by a dialog is a consequence, whatever else the act is. */
export function withConfirmation(verdict: Verdict): Verdict {
  return joined(verdict, verdictOf(['confirm'], 'sure'))
}

/** The stricter certainty counts: nothing known beats words, facts beat both. */
function joined(one: Verdict, other: Verdict): Verdict {
  const certainties = [one, other].filter(({ kinds }) => kinds.length > 0).map(({ certainty }) => certainty)
  const isUnknown = [one, other].some(({ certainty }) => certainty === 'none')
  const certainty = certainties.includes('sure') ? 'sure' : (certainties[0] ?? (isUnknown ? 'none' : 'sure'))
  return verdictOf([...one.kinds, ...other.kinds], certainty, one.ownerTask ?? other.ownerTask)
}

export function dialogOf(element: Element): Element | null {
  return element.closest(DIALOG)
}
