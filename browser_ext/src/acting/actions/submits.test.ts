// @vitest-environment page
// A form with a yes, of which the page changes something while it is sent.
import { beforeEach, expect, it, vi } from 'vitest'
import type { Shown } from '../../protocol.gen'
import { layOutPage } from '../snapshot/fake_layout'
import { NeedsYes, Permission } from './permission'
import { dropSubmitGuard, guardSubmits, stoppedSubmit } from './submits'

const SITE = 'localhost:3000'
const PAGE = `<form method="post" action="/take"><input name="city" value="Graz" aria-label="City">
<button>Order</button><button name="do" value="gift">Gift</button></form><button id="far">Order</button>`

const formOfPage = () => document.forms[0] as HTMLFormElement
const button = (place = 0) => document.querySelectorAll('button')[place] as HTMLElement

beforeEach(() => {
  dropSubmitGuard()
  layOutPage()
  document.body.innerHTML = PAGE
})

function ask(element: Element, ledTo = new Map<string, Shown>()): Shown {
  try {
    new Permission(SITE, undefined, () => false, ledTo).assert(element, { do: 'click' })
  } catch (failure) {
    if (failure instanceof NeedsYes) return failure.shown
  }
  throw new Error('it was not asked')
}

/** Press with a yes. */
function pressWithYes(element: Element, approved: string, ledTo = new Map<string, Shown>()) {
  const permission = new Permission(SITE, approved, () => false, ledTo)
  permission.assert(element, { do: 'click' })
  guardSubmits(document, permission)
}

/** What a browser does: the event, and then it collects what it sends. */
function send(submitter: HTMLElement | null): void {
  const form = formOfPage()
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter })
  if (!form.dispatchEvent(event)) return
  const formData = new FormData(form, submitter)
  form.dispatchEvent(Object.assign(new Event('formdata', { bubbles: true }), { formData }))
}

function onSubmit(handler: (event: Event) => void): void {
  formOfPage().addEventListener('submit', handler)
}

function changeCity(): void {
  const field = formOfPage().querySelector('input')
  if (field) field.value = 'Wien'
}

it('lets through what was shown', () => {
  pressWithYes(button(), ask(button()).digest)
  send(button())
  expect([stoppedSubmit(), formOfPage().isConnected]).toEqual([null, true])
})

it('stops what a handler changed, shows it, and puts the form back', async () => {
  pressWithYes(button(), ask(button()).digest)
  onSubmit(changeCity)
  const form = formOfPage()
  send(button())
  expect(form.isConnected).toBe(false)
  expect(stoppedSubmit()?.shown?.fields?.map(({ value }) => value)).toEqual(['Wien'])
  await vi.waitFor(() => expect(form.isConnected).toBe(true))
  expect(stoppedSubmit()?.shown?.digest).toBe(ask(button()).digest)
  expect(document.body.firstElementChild).toBe(form)
})

it('without that look, what a handler changed is sent', () => {
  vi.spyOn(Permission.prototype, 'assertSent').mockReturnValue()
  pressWithYes(button(), ask(button()).digest)
  onSubmit(changeCity)
  send(button())
  expect([stoppedSubmit(), formOfPage().isConnected]).toEqual([null, true])
})

it('does not take a script that collects the form for the browser', () => {
  pressWithYes(button(), ask(button()).digest)
  onSubmit((event) => {
    event.preventDefault()
    changeCity()
    const formData = new FormData(formOfPage())
    formOfPage().dispatchEvent(Object.assign(new Event('formdata', { bubbles: true }), { formData }))
  })
  send(button())
  expect([stoppedSubmit(), formOfPage().isConnected]).toEqual([null, true])
})

it('stops the form where another button sends it than the one of the yes', () => {
  pressWithYes(button(), ask(button()).digest)
  send(button(1))
  expect(stoppedSubmit()?.shown?.fields?.map(({ name, value }) => [name, value])).toEqual([
    ['city', 'Graz'],
    ['do', 'gift'],
  ])
})

it('asks with the form where a control sends one that it did not show, and lets it through with that yes', () => {
  const ledTo = new Map<string, Shown>()
  const far = document.querySelector('#far') as HTMLElement
  const first = ask(far, ledTo)
  expect(first.fields).toEqual([])
  pressWithYes(far, first.digest, ledTo)
  send(null)
  expect(stoppedSubmit()?.shown?.fields).toMatchObject([{ name: 'city', value: 'Graz' }])
  const second = ask(far, ledTo)
  expect(second.fields).toMatchObject([{ name: 'city', value: 'Graz' }])
  pressWithYes(far, second.digest, ledTo)
  send(null)
  expect([stoppedSubmit(), formOfPage().isConnected]).toEqual([null, true])
  changeCity()
  pressWithYes(far, second.digest, ledTo)
  send(null)
  expect(stoppedSubmit()?.shown?.fields).toMatchObject([{ name: 'city', value: 'Wien' }])
})
