// What the owner is shown before an act, and the digest that a yes is for, both from the live page at one moment. The
// digest is made without waiting, so that the page cannot change between it and the act.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { hostOf, urlToTell } from '../../grants/hosts'
import { roleOf } from '../names/roles'
import { amountIn } from './amount'
import { oneLine, boundedText } from './bounded_text'
import { hashOfFile } from './file_hashes'
import { factsOf, isSubmitButton, urlOf } from './form_facts'
import type { Certainty, Kind, OwnerTask, Target, Verdict } from './kinds'
import { scopeOf, type SentField } from './scope'
import { dialogOf, formOf } from './verdict'

interface ShownField {
  label: string
  name: string
  value: string
  sent?: string
  more: number
  is_hidden?: boolean
}

/** The part `Shown` of the wire. */
export interface Shown {
  kinds: Kind[]
  certainty: Certainty
  owner_task?: OwnerTask
  host: string
  to: string
  role: string
  button: string
  fields: ShownField[]
  more_fields: number
  more_hidden: number
  files: { name: string; size: number }[]
  amount: string
  dialog: string
  digest: string
}

const TO_CHARACTERS = 300
const ROLE_CHARACTERS = 40
const BUTTON_CHARACTERS = 100
const VALUE_CHARACTERS = 4_000
const FIELDS_MOST = 20
const HIDDEN_CHARACTERS = 400
const NAME_CHARACTERS = 200
const FILE_NAME_CHARACTERS = 200
const DIALOG_CHARACTERS = 300
const MASK = '••••'

/**
 * Null: more would be sent than can be shown. `documentId`: the browser's name of the document. Files have to be hashed
 * before. `asks`: the words of a dialog of the browser.
 */
export function shownOf(target: Target, verdict: Verdict, documentId: string, asks = ''): Shown | null {
  const { element, name, data } = target
  const { kinds, certainty, ownerTask } = verdict
  const submitter = submitterOf(target)
  const [scope, page] = [scopeOf({ element, submitter, ...(data && { data }) }), element.ownerDocument]
  if (!scope || !URL.canParse(page.URL) || scope.files.length > FIELDS_MOST) return null
  const files = scope.files.map((file) => ({ name: file.name, size: file.size, hash: hashOfFile(file) }))
  if (files.some(({ hash }) => hash === null)) return null
  const host = hostOf(new URL(page.URL))
  const [action, role] = [addressOf(element, submitter), roleOf(element)]
  const [visible, beneath] = [false, true].map((side) => scope.fields.filter(({ isHidden }) => isHidden === side))
  if (!visible || !beneath) return null
  const dialogElement = dialogOf(element)
  const dialog = asks || (dialogElement ? boundedText(dialogElement, DIALOG_CHARACTERS) : '')
  const digest = digestOf({
    action: action?.href ?? '',
    ...(asks && { asks: hash(asks) }),
    dialog: dialogElement ? hash((dialogElement.textContent ?? '').replace(/\s+/g, ' ').trim()) : '',
    document: documentId,
    fields: scope.fields.map((field) => [field.name, field.label, hash(JSON.stringify([field.sent, field.value]))]),
    files: files.map((file) => [file.name, file.size, file.hash]),
    host,
    kinds,
    name: hash(name),
    role,
  })
  return {
    kinds,
    certainty,
    ...(ownerTask && { owner_task: ownerTask }),
    host,
    to: action ? placeOf(action) : '',
    role: role.slice(0, ROLE_CHARACTERS),
    button: oneLine(name, BUTTON_CHARACTERS),
    fields: [...visible.slice(0, FIELDS_MOST), ...beneath.slice(0, FIELDS_MOST)].map(shownField),
    more_fields: Math.max(0, visible.length - FIELDS_MOST),
    more_hidden: Math.max(0, beneath.length - FIELDS_MOST),
    files: scope.files.map((file) => ({ name: oneLine(file.name, FILE_NAME_CHARACTERS), size: file.size })),
    amount: kinds.includes('buy') ? amountIn(name, dialog, formOf(element)) : '',
    dialog: oneLine(dialog, DIALOG_CHARACTERS),
    digest,
  }
}

/** Keys in the order of the alphabet make the JSON canonical. */
function digestOf(content: Record<string, unknown>): string {
  return hash(JSON.stringify(content))
}

function hash(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}

function shownField({ label, name, value, sent, isCredential, isHidden }: SentField): ShownField {
  const field = { label, name: name.slice(0, NAME_CHARACTERS), ...(isHidden && { is_hidden: true }) }
  if (isCredential) return { ...field, value: value === '' ? '' : MASK, more: 0 }
  const most = isHidden ? HIDDEN_CHARACTERS : VALUE_CHARACTERS
  const more = Math.max(0, value.length - most, sent.length - most)
  return { ...field, value: value.slice(0, most), ...(sent !== value && { sent: sent.slice(0, most) }), more }
}

/** Of a control that is pressed, itself; of a field, nothing: its form is then sent by a script. */
function submitterOf({ element, submitter }: Target): HTMLElement | null {
  if (submitter !== undefined) return submitter
  return isSubmitButton(element) ? element : null
}

function addressOf(element: Element, submitter: HTMLElement | null): URL | null {
  const form = formOf(element)
  if (form) return factsOf(form, submitter && isSubmitButton(submitter) ? submitter : null).action
  const href = element.closest('a[href], area[href]')?.getAttribute('href')
  return href ? urlOf(href, element) : null
}

function placeOf(address: URL): string {
  const { host, pathname } = new URL(urlToTell(address))
  return `${host}${pathname}`.slice(0, TO_CHARACTERS)
}
