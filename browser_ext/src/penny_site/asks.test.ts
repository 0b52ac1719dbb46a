// @vitest-environment jsdom
// Questions, and Stop, in the web chat. The connection is played by the test.
import { beforeEach, expect, it, vi } from 'vitest'
import { GUARD_MS } from '../../../penny_site/static/penny/chat/answer_guard.js'

const PAGE = `<p id="trouble" hidden></p><div id="scroll"><div id="log"></div></div><button id="latest"></button><div id="nothing"></div><div id="asks"></div>
<template id="ask-template"><div class="ask"><p class="question"></p><p class="reason"></p><div class="answers"></div><p class="others"></p></div></template>
<template id="message-template"><article class="message"></article></template>
<template id="running-template"><article class="running"><p><span class="where"></span></p><div class="words plain"></div><details class="steps"><summary></summary><ol></ol></details><p><span class="busy"></span><button>Stop</button></p></article></template>`
let frames: object[]
let isConnected: boolean

const send = (frame: object) => isConnected && frames.push(frame) > 0
const grant = (host: string) => ({
  type: 'grant.ask',
  request_id: host,
  host,
  capability: 'read',
  reason: '',
  expires_at: new Date(Date.now() + 60_000).toISOString(),
})
const askedHost = () => document.querySelector('#asks b')?.textContent
const troubleText = () => document.querySelector<HTMLElement>('#trouble:not([hidden])')?.textContent
const press = () => document.querySelector<HTMLElement>('#asks button')?.click()

async function chat() {
  const asks = await import('../../../penny_site/static/penny/chat/asks.js')
  for (const host of ['one.example', 'two.example']) asks.askGrant(grant(host), send)
  return asks
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
    },
  )
  Object.defineProperty(document, 'scrollingElement', { value: document.documentElement, configurable: true })
  Object.assign(HTMLElement.prototype, { scrollTo: () => undefined })
  document.body.innerHTML = PAGE
  frames = []
  isConnected = true
})

it('does not take the second click of a double one for an answer to the next question', async () => {
  await chat()
  press()
  expect(askedHost()).toBe('two.example')
  press()
  expect([frames.length, askedHost()]).toEqual([1, 'two.example'])
  await new Promise((resolve) => setTimeout(resolve, GUARD_MS + 50))
  press()
  expect([frames.length, askedHost()]).toEqual([2, undefined])
})

it('guards a question that came forward because the one before was answered elsewhere', async () => {
  const { dismiss } = await chat()
  dismiss('one.example')
  press()
  expect([frames, askedHost()]).toEqual([[], 'two.example'])
})

it('leaves the question that is shown alone when one behind it goes', async () => {
  const { dismiss } = await chat()
  const button = document.querySelector('#asks button')
  dismiss('two.example')
  expect([
    document.querySelector('#asks button') === button,
    document.querySelector<HTMLElement>('.others')?.hidden,
  ]).toEqual([true, true])
})

it('leaves a question where it is that is said again, and asks it for as long as that says', async () => {
  const { askGrant } = await chat()
  const button = document.querySelector('#asks button')
  askGrant({ ...grant('one.example'), expires_at: new Date(Date.now() + 300).toISOString() }, send)
  expect([document.querySelector('#asks button') === button, askedHost()]).toEqual([true, 'one.example'])
  await vi.waitFor(() => expect(askedHost()).toBe('two.example'))
})

it('shows what a turn asks before what waits for days, and takes no click for it that was meant for that', async () => {
  const { askGrant, dismiss } = await chat()
  dismiss('one.example')
  dismiss('two.example')
  askGrant({ ...grant('day.example'), expires_at: new Date(Date.now() + 86_400_000).toISOString() }, send)
  askGrant(grant('turn.example'), send)
  press()
  expect([frames, askedHost(), document.querySelector('.others')?.textContent]).toEqual([
    [],
    'turn.example',
    '1 more after this',
  ])
})

it('keeps a question that could not be answered, and says so', async () => {
  await chat()
  isConnected = false
  press()
  expect([askedHost(), troubleText()]).toEqual([
    'one.example',
    'Penny is not connected at the moment. Press it again when she is.',
  ])
  isConnected = true
  press()
  expect([askedHost(), troubleText(), frames.length]).toEqual(['two.example', undefined, 1])
})

it('says that a Stop did not go out, and can be pressed again', async () => {
  const { showTurn } = await import('../../../penny_site/static/penny/chat/turns.js')
  showTurn({ turn_id: 't', attempt: 1, device_label: 'Web', text: '' }, (turn_id) =>
    send({ type: 'turn.cancel', turn_id }),
  )
  const stop = document.querySelector<HTMLButtonElement>('.running button')
  isConnected = false
  stop?.click()
  expect([stop?.textContent, stop?.disabled, troubleText()]).toEqual([
    'Stop',
    false,
    'Penny is not connected at the moment. Press it again when she is.',
  ])
  isConnected = true
  stop?.click()
  expect([stop?.textContent, troubleText(), frames]).toEqual([
    'Stopping',
    undefined,
    [{ type: 'turn.cancel', turn_id: 't' }],
  ])
})
