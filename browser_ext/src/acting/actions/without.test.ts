// @vitest-environment page
// Acts without one of their defences: what nothing happens to with it, happens.
import { expect, it, vi } from 'vitest'
import { newPageState } from '../page_state'
import { layOutPage } from '../snapshot/fake_layout'
import { snapshotOf } from '../snapshot/snapshot'
import { act } from './act'
import { allowEvents } from './fake_events'
import { dropSubmitGuard } from './submits'

const off = vi.hoisted(() => ({ verdict: false, submits: false }))

vi.mock('../consequences/verdict', async (load) => {
  const real = await load<typeof import('../consequences/verdict')>()
  const consequencesOf: typeof real.consequencesOf = (...values) =>
    off.verdict ? { kinds: [], certainty: 'sure', ownerTask: null } : real.consequencesOf(...values)
  const sendsOnChange: typeof real.sendsOnChange = (element) => !off.verdict && real.sendsOnChange(element)
  return { ...real, consequencesOf, sendsOnChange }
})

vi.mock('./submits', async (load) => {
  const real = await load<typeof import('./submits')>()
  const guardSubmits: typeof real.guardSubmits = (...values) => (off.submits ? undefined : real.guardSubmits(...values))
  return { ...real, guardSubmits }
})

allowEvents()

/** Return how often a form was sent by a click that nobody said yes to. */
async function sentWithoutYes(html: string): Promise<number> {
  dropSubmitGuard() // of the page before
  layOutPage()
  document.body.innerHTML = html
  const button = document.querySelector('button')
  document.elementFromPoint = () => button
  Element.prototype.scrollIntoView = () => undefined
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  let sent = 0
  document.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    sent += 1
  })
  if (button?.type === 'button') button.onclick = () => document.querySelector('form')?.requestSubmit()
  const state = newPageState()
  snapshotOf(document, state, { next: 1 })
  await act(document, state, { action: { do: 'click', ref: '1' }, site: 'localhost:3000', next: 1 })
  return sent
}

it('the verdict about an act, a form that nobody said yes to', async () => {
  const html = '<form method="post" action="/order"><button>Place order</button></form>'
  expect(await sentWithoutYes(html)).toBe(0)
  Object.assign(off, { verdict: true, submits: true })
  expect(await sentWithoutYes(html)).toBe(1)
  Object.assign(off, { verdict: false, submits: false })
})

it('the look at what a page sends, a form behind another button', async () => {
  const button = '<button type="button" aria-expanded="false">Details</button>'
  const html = `${button}<form method="post" action="/order"><input name="n" value="1"></form>`
  expect(await sentWithoutYes(html)).toBe(0)
  off.submits = true
  expect(await sentWithoutYes(html)).toBe(1)
  off.submits = false
})

it('the verdict about a field, a form that goes with its change', async () => {
  const set = async (): Promise<string> => {
    layOutPage()
    document.body.innerHTML = '<form method="post"><input name="n" value="1" onchange="form.submit()"></form>'
    document.elementFromPoint = () => document.querySelector('input')
    const state = newPageState()
    snapshotOf(document, state, { next: 1 })
    const fields = [{ ref: '1', value: '2' }]
    await act(document, state, { action: { do: 'set', fields }, site: 'localhost:3000', next: 1 })
    return document.querySelector('input')?.value ?? ''
  }
  expect(await set()).toBe('1')
  off.verdict = true
  expect(await set()).toBe('2')
  off.verdict = false
})
