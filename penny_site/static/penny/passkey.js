// Passkeys: the browser asks the owner, signs Penny's challenge, and the page posts the result.
// Without support the buttons stay hidden.
import { BASE } from './base.js'

/** @param {string} selector */
function valueOf(selector) {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector(selector)
  return field?.value ?? ''
}
/** @param {string} path */
const post = (path, body = {}) =>
  fetch(BASE + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRFToken': valueOf('[name=csrfmiddlewaretoken]') },
    body: JSON.stringify(body),
  })

/** Words of Penny's own, which the owner may see. */
class Told extends Error {}

// What browsers call their refusals. Their own messages are in English, for programmers, and differ.
/** @type {Record<string, string>} */
const REFUSALS = {
  NotAllowedError: 'Nothing was signed. Try again when you are ready.',
  AbortError: 'Nothing was signed. Try again when you are ready.',
  TimeoutError: 'That took too long. Try again when you are ready.',
  InvalidStateError: 'This device already has a passkey for Penny. Sign in with it, or choose another device.',
  SecurityError:
    'Passkeys do not work at this address. Open Penny at an address that begins with https, or at localhost.',
  NotSupportedError: 'This device cannot make such a passkey. Choose another device, or a security key.',
  ConstraintError: 'This device needs a screen lock or a PIN for passkeys. Set one up, then try again.',
  TypeError: 'Penny does not answer. Check that she runs, then try again.',
}
/** @param {unknown} error */
function wordsFor(error) {
  if (error instanceof Told) return error.message
  const refusal = error instanceof Error ? REFUSALS[error.name] : undefined
  return refusal ?? 'The browser could not use a passkey. Try again, or sign in another way.'
}

/**
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} ask
 */
async function runCeremony(button, ask) {
  const line = /** @type {HTMLElement} */ (document.getElementById('passkey-said'))
  line.hidden = true
  button.disabled = true
  try {
    await ask()
  } catch (error) {
    line.textContent = wordsFor(error)
    line.hidden = false
  } finally {
    button.disabled = false
  }
}

/** @typedef {{ publicKey: PublicKeyCredentialCreationOptionsJSON }} CreationAnswer */
/** @typedef {{ publicKey: PublicKeyCredentialRequestOptionsJSON }} RequestAnswer */

/**
 * @param {Response} response
 * @returns {Promise<unknown>} the answer, of which Penny's server fixes the type
 */
async function parseAnswer(response) {
  const body = /** @type {{ message?: string }} */ (await response.json().catch(() => ({})))
  if (!response.ok) throw new Told(body.message ?? 'That did not work. Reload the page and try again.')
  return body
}

/** @param {Credential | null} credential */
const jsonOf = (credential) => /** @type {PublicKeyCredential} */ (credential).toJSON()

async function addPasskey() {
  const { publicKey } = /** @type {CreationAnswer} */ (await parseAnswer(await post('/passkeys/begin/')))
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey)
  const credential = jsonOf(await navigator.credentials.create({ publicKey: options }))
  await parseAnswer(await post('/passkeys/', { credential, name: valueOf('#passkey-name') }))
  location.reload()
}

/** @param {string | undefined} next */
async function signIn(next) {
  const { publicKey } = /** @type {RequestAnswer} */ (await parseAnswer(await post('/sign-in/passkey/begin/')))
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey)
  const credential = jsonOf(await navigator.credentials.get({ publicKey: options }))
  const answer = await parseAnswer(await post('/sign-in/passkey/', { credential, next }))
  location.assign(/** @type {{ next: string }} */ (answer).next)
}

if ('PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
  for (const part of document.querySelectorAll('.passkey')) part.hidden = false
  const add = /** @type {HTMLButtonElement | null} */ (document.getElementById('passkey-add'))
  add?.addEventListener('click', () => runCeremony(add, addPasskey))
  const use = /** @type {HTMLButtonElement | null} */ (document.getElementById('passkey-use'))
  use?.addEventListener('click', () => runCeremony(use, () => signIn(use.dataset.next)))
}
