// @vitest-environment page
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newPageState, type PageState } from '../page_state'
import { layOutPage } from '../snapshot/fake_layout'
import { snapshotOf } from '../snapshot/snapshot'
import { act } from './act'
import { allowEvents } from './fake_events'
import type { ActReply, PageAction } from './request'
import { lookAtPage } from './watch'

allowEvents()

const createEvent = document.createEvent.bind(document)
document.createEvent = ((type: string) =>
  createEvent(type === 'BeforeUnloadEvent' ? 'Event' : type)) as typeof createEvent

let state: PageState
/** What lies on top wherever one presses. */
let top: Element | null

beforeEach(() => {
  layOutPage()
  state = newPageState()
  top = null
  document.elementFromPoint = () => top
  Element.prototype.scrollIntoView = () => undefined
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
})

/** Show a page, and return its control, which lies on top. */
function put(html: string): HTMLElement {
  document.body.innerHTML = html
  snapshotOf(document, state, { next: 1 })
  top = document.querySelector('#it')
  return top as HTMLElement
}

function doing(action: PageAction, approved?: string, site = 'localhost:3000'): Promise<ActReply> {
  return act(document, state, { action, site, next: 1, ...(approved && { approved }) })
}

const CLICK: PageAction = { do: 'click', ref: '1' }

describe('a click', () => {
  it('sends the events of a mouse in their order', async () => {
    const button = put('<button id="it" aria-expanded="false">Details</button>')
    const types: string[] = []
    for (const type of ['mouseover', 'mousemove', 'mousedown', 'focus', 'mouseup', 'click'])
      button.addEventListener(type, () => void types.push(type))
    expect(await doing(CLICK)).toMatchObject({ state: 'done' })
    expect(types).toEqual(['mouseover', 'mousemove', 'mousedown', 'focus', 'mouseup', 'click'])
  })

  it.each([
    ['disabled', '<button id="it" disabled aria-expanded="false">A</button>', true],
    ['disabled', '<div aria-disabled="true"><button id="it" aria-expanded="false">A</button></div>', true],
    ['not_visible', '<button id="it" aria-expanded="false" data-gone>A</button>', true],
    ['stale_ref', '<p id="it">No control</p>', false],
  ])('is not made: %s in %s', async (code, html, mayPass) => {
    const control = put(html)
    if ('gone' in control.dataset) control.hidden = true
    expect(await doing(CLICK)).toMatchObject({ state: 'failed', code, mayPass, hasBegun: false })
  })

  it('says what covers the control, and its buttons', async () => {
    const layer = '<div role="dialog" aria-label="Cookies"><button>No</button></div>'
    put(`<button id="it" aria-expanded="false">A</button>${layer}`)
    top = document.querySelector('[role="dialog"]')
    expect(await doing(CLICK)).toMatchObject({ code: 'covered', message: 'Covered by dialog “Cookies” with “No”.' })
  })

  it('never presses another control within the one that is meant', async () => {
    put('<div id="it" tabindex="0" role="button" aria-expanded="false">Terms <a href="/buy">Buy</a></div>')
    top = document.querySelector('a')
    expect(await doing(CLICK)).toMatchObject({ state: 'failed', code: 'covered' })
  })

  it('is not made on another site', async () => {
    put('<button id="it" aria-expanded="false">A</button>')
    expect(await doing(CLICK, undefined, 'shop.example')).toMatchObject({ code: 'left_site', hasBegun: false })
  })
})

describe('what reaches others', () => {
  const ORDER =
    '<form method="post" action="/order"><input name="n" value="1"><button id="it">Place order</button></form>'
  const PRESS: PageAction = { do: 'click', ref: '2' }

  function submissions(): Event[] {
    const events: Event[] = []
    document.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault()
      events.push(event)
    })
    return events
  }

  async function digest(): Promise<string> {
    const reply = await doing(PRESS)
    return reply.state === 'needs_approval' ? reply.shown.digest : expect.fail('nobody was asked')
  }

  it('happens with a yes to exactly that, and not before', async () => {
    put(ORDER)
    const events = submissions()
    const yes = await digest()
    expect(events).toHaveLength(0)
    expect(await doing(PRESS, yes)).toMatchObject({ state: 'done' })
    expect(events).toHaveLength(1)
  })

  it('is a list that sends its form: asked about as it would be, then set', async () => {
    const list = put(
      '<form method="post"><label>Size <select id="it" onchange="form.submit()"><option>S<option>M</select></label></form>',
    ) as HTMLSelectElement
    const changes: string[] = []
    list.addEventListener('change', () => void changes.push(list.value))
    const setTo = (value: string): PageAction => ({ do: 'set', fields: [{ ref: '1', value }] })
    const question = await doing(setTo('M'))
    expect(question).toMatchObject({ shown: { kinds: ['submit'], fields: [{ label: 'Size', value: 'M' }] } })
    expect([list.value, changes]).toEqual(['S', []])
    const yes = 'shown' in question ? question.shown.digest : ''
    expect(await doing(setTo('S'), yes)).toMatchObject({ code: 'changed_since_asked' })
    expect(await doing(setTo('M'), yes)).toMatchObject({ state: 'done', value: 'M' })
    expect(changes).toEqual(['M'])
  })

  it.each([
    ['text', '<input id="it" name="f" value="a" onchange="form.submit()">', 'b', 'b'],
    ['date', '<input id="it" type="date" name="f" onchange="form.submit()">', '2026-12-24', '2026-12-24'],
    ['box', '<input id="it" type="checkbox" name="f" value="yes" onchange="form.submit()">', true, 'yes'],
    [
      'radio',
      '<input type="radio" name="f" checked><input id="it" type="radio" name="f" onchange="form.submit()">',
      true,
      'on',
    ],
  ])('is a field that sends its form: %s', async (_, html, value, shows) => {
    const field = put(`<form method="post">${html}</form>`) as HTMLInputElement
    const changes: unknown[] = []
    field.addEventListener('change', () => void changes.push(field.value))
    const [before, ref] = [[field.value, field.checked], field.type === 'radio' ? '2' : '1']
    const set: PageAction = { do: 'set', fields: [{ ref, value }] }
    const question = await doing(set)
    expect(question).toMatchObject({ shown: { kinds: ['submit'], fields: [{ value: shows }] } })
    expect([[field.value, field.checked], changes]).toEqual([before, []])
    const yes = 'shown' in question ? question.shown.digest : ''
    expect(await doing(set, yes)).toMatchObject({ state: 'done', value: value === true ? 'true' : value })
    expect(changes).toEqual([shows])
  })

  it('is a box that sends its form when it is clicked: asked about as it would be then', async () => {
    const box = put('<form method="post"><input id="it" type="checkbox" name="f" onchange="form.submit()"></form>')
    const question = await doing(CLICK)
    expect(question).toMatchObject({ shown: { kinds: ['submit'], fields: [{ value: 'on' }] } })
    expect((box as HTMLInputElement).checked).toBe(false)
  })

  it('is a field that opens what it holds: judged by that', async () => {
    put(
      '<select id="it" onchange="location.href = this.value"><option value="/a">A<option value="#b">B' +
        '<option value="/logout">Out<option value="3">C</select>',
    )
    const setTo = (value: string): PageAction => ({ do: 'set', fields: [{ ref: '1', value }] })
    expect(await doing(setTo('Out'))).toMatchObject({ state: 'needs_approval', shown: { certainty: 'sure' } })
    expect(await doing(setTo('C'))).toMatchObject({ state: 'needs_approval', shown: { certainty: 'none' } })
    expect(await doing(setTo('B'))).toMatchObject({ state: 'done' })
  })

  it('is no field among others, nor one that is typed into', async () => {
    put('<form method="post"><input id="it" name="f" onchange="form.submit()"><input name="g"></form>')
    const fields = ['1', '2'].map((ref) => ({ ref, value: 'x' }))
    expect(await doing({ do: 'set', fields })).toMatchObject({ state: 'failed', code: 'unsupported' })
    expect(await doing({ do: 'type', ref: '1', text: 'x' })).toMatchObject({ state: 'failed', code: 'unsupported' })
  })

  it.each([
    ['value_refused', '<input id="it" type="date" onchange="form.submit()">'],
    ['not_editable', '<input id="it" readonly onchange="form.submit()">'],
  ])('does not happen by what a field does not take: %s', async (code, html) => {
    const field = put(`<form method="post">${html}</form>`) as HTMLInputElement
    expect(await doing({ do: 'set', fields: [{ ref: '1', value: 'soon' }] })).toMatchObject({ code })
    expect(field.value).toBe('')
  })

  it('happens once, however often a click or a key is asked for', async () => {
    put(ORDER)
    const events = submissions()
    const yes = await digest()
    expect(await doing({ ...PRESS, count: 3 }, yes)).toMatchObject({ state: 'failed', code: 'unsupported' })
    document.querySelector('input')?.focus()
    const enter: PageAction = { do: 'press', keys: 'Enter', times: 3 }
    const question = await doing(enter)
    if (question.state !== 'needs_approval') expect.fail('nobody was asked')
    await doing(enter, question.shown.digest)
    expect(events).toHaveLength(1)
  })

  it.each([
    ['captcha', '<button id="it">I am not a robot</button>'],
    [
      'new_password',
      '<form method="post"><input type="password" autocomplete="new-password"><button id="it">Save</button></form>',
    ],
  ])('is for the owner alone where it is a %s, whatever they said yes to', async (task, html) => {
    const control = put(html)
    let clicks = 0
    control.addEventListener('click', () => clicks++)
    const ref = control.closest('form') ? '2' : '1'
    const reply = await doing({ do: 'click', ref })
    if (reply.state !== 'needs_approval') expect.fail('nobody was asked')
    expect(reply.shown.owner_task).toBe(task)
    expect(await doing({ do: 'click', ref }, reply.shown.digest)).toMatchObject({ code: 'unsupported' })
    expect(clicks).toBe(0)
  })

  it('does not happen where anything changed since', async () => {
    put(ORDER)
    const events = submissions()
    const yes = await digest()
    document.querySelector('input')?.setAttribute('value', '100')
    expect(await doing(PRESS, yes)).toMatchObject({ state: 'failed', code: 'changed_since_asked' })
    expect(events).toHaveLength(0)
  })

  it('does not happen by Enter, by submits, or by a new line', async () => {
    put(ORDER)
    const events = submissions()
    top = document.querySelector('input')
    document.querySelector('input')?.focus()
    expect(await doing({ do: 'press', keys: 'Enter' })).toMatchObject({ state: 'needs_approval' })
    const fields = [{ ref: '1', value: '2' }]
    expect(await doing({ do: 'set', fields, submits: true })).toMatchObject({ state: 'needs_approval' })
    expect(await doing({ do: 'type', ref: '1', text: '3\n' })).toMatchObject({ state: 'failed', code: 'unsupported' })
    expect(events).toHaveLength(0)
  })

  it('does not happen on a control that took the place of the one that is meant', async () => {
    put(ORDER)
    document.body.innerHTML = ORDER
    top = document.querySelector('#it')
    expect(await doing(PRESS)).toMatchObject({ state: 'failed', code: 'stale_ref' })
  })

  it.each(['/logout', '//lab.example/', '/orders/7/delete'])('does not happen by opening %s', async (path) => {
    put('<p id="it">Page</p>')
    const reply = await doing({ do: 'go', to: 'path', path })
    expect(reply).not.toMatchObject({ state: 'done' })
  })
})

it('opens a path of the site by its background', async () => {
  put('<p id="it">Page</p>')
  const reply = await doing({ do: 'go', to: 'path', path: '/cart' })
  expect(reply).toMatchObject({ state: 'done', address: 'http://localhost:3000/cart' })
})

it('goes on with the like of a control that was drawn again, where that is harmless', async () => {
  const html = '<button id="it" aria-expanded="false">Details</button>'
  put(html)
  document.body.innerHTML = html
  top = document.querySelector('#it')
  expect(await doing(CLICK)).toMatchObject({ state: 'done', healed: ['1', '2'] })
})

it('tells what an act changed, and what it opened', async () => {
  const button = put('<button id="it" aria-expanded="false">Menu</button><div role="menu" hidden>Save</div>')
  button.addEventListener('click', () => document.querySelector('[role="menu"]')?.removeAttribute('hidden'))
  await doing(CLICK)
  await Promise.resolve()
  const look = lookAtPage(document, state.references, { next: 1, text: 'save' })
  expect(look).toMatchObject({ hasChanged: true, opened: [2], focus: 1 })
})

describe('a form that the page sends by itself', () => {
  const PAGE =
    '<form method="post" action="/order"><input name="n" value="1"><button>Place order</button></form>' +
    '<button id="it" type="button" aria-expanded="false">Details</button>'
  const PRESS: PageAction = { do: 'click', ref: '3' }

  /** The page sends its form when another button is pressed. */
  function putSending(later: boolean): Event[] {
    const button = put(PAGE)
    const events: Event[] = []
    const form = document.querySelector('form')
    form?.addEventListener('submit', (event) => {
      event.preventDefault()
      events.push(event)
    })
    button.addEventListener('click', () => {
      if (later) setTimeout(() => form?.requestSubmit())
      else form?.requestSubmit()
    })
    return events
  }

  it('is stopped, and sent with a yes to what it holds', async () => {
    const events = putSending(false)
    const reply = await doing(PRESS)
    if (reply.state !== 'needs_approval') expect.fail('nobody was asked')
    expect(reply.shown).toMatchObject({ button: 'Place order', fields: [{ value: '1' }] })
    expect(events).toHaveLength(0)
    expect(await doing(PRESS, reply.shown.digest)).toMatchObject({ state: 'done' })
    expect(events).toHaveLength(1)
  })

  it('is stopped also a moment later, which the next look tells', async () => {
    const events = putSending(true)
    expect(await doing(PRESS)).toMatchObject({ state: 'done' })
    await new Promise((resolve) => setTimeout(resolve, 5))
    const look = lookAtPage(document, state.references, { next: 1 })
    expect(look.stopped?.shown?.button).toBe('Place order')
    expect(events).toHaveLength(0)
  })

  it('is sent where it is only a search', async () => {
    put('<form role="search"><input type="search" name="q"></form><button id="it" aria-expanded="false">A</button>')
    let sent = 0
    const form = document.querySelector('form')
    form?.addEventListener('submit', (event) => {
      event.preventDefault()
      sent += 1
    })
    top?.addEventListener('click', () => form?.requestSubmit())
    expect(await doing({ do: 'click', ref: '2' })).toMatchObject({ state: 'done' })
    expect(sent).toBe(1)
  })
})

describe('a dialog of the page', () => {
  const again = (approved?: string, dialog = 'Sure?'): Promise<ActReply> =>
    act(document, state, { action: CLICK, site: 'localhost:3000', next: 1, dialog, ...(approved && { approved }) })

  it('is asked about with the act, however harmless that is, and a yes is for its words', async () => {
    const button = put('<button id="it" aria-expanded="false">Details</button>')
    let clicks = 0
    button.addEventListener('click', () => clicks++)
    const question = await again()
    expect(question).toMatchObject({ shown: { kinds: ['confirm'], dialog: 'Sure?', button: 'Details' } })
    const yes = 'shown' in question ? question.shown.digest : ''
    expect(await again(yes, 'Delete all?')).toMatchObject({ code: 'changed_since_asked' })
    expect(await doing(CLICK, yes)).toMatchObject({ state: 'done' }) // free without a dialog: it is answered no
    expect(await again(yes)).toMatchObject({ state: 'done' })
    expect(clicks).toBe(2)
  })
})

describe('a page with something that is not saved', () => {
  const GO: PageAction = { do: 'go', to: 'path', path: '/cart' }
  const stay = (event: Event): void => event.preventDefault()

  beforeEach(() => window.addEventListener('beforeunload', stay))
  afterEach(() => window.removeEventListener('beforeunload', stay))

  it.each([GO, { do: 'go', to: 'back' }, CLICK] as const)('is left at the second try: %o', async (action) => {
    put('<a id="it" href="/cart">Cart</a>').addEventListener('click', stay)
    expect(await doing(action)).toMatchObject({ state: 'failed', code: 'unsaved', hasBegun: false })
    expect(await doing(action)).toMatchObject({ state: 'done' })
  })

  it('is not left by what stays in it', async () => {
    put('<a id="it" href="#top">Up</a>')
    expect(await doing(CLICK)).toMatchObject({ state: 'done' })
  })
})
