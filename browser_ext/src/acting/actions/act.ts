// One act in one frame: find the control, look whether it can be used, ask where it has to be asked, and do it.
import { covers } from '../../grants/grants'
import { hostOf, webUrl } from '../../grants/hosts'
import { shadowOf } from '../../extract/shadow_roots'
import type { ClickAction, GoAction, PressAction, SetAction, TypeAction } from '../../protocol.gen'
import { sendsOnChange } from '../consequences/verdict'
import type { PageState } from '../page_state'
import { makeRoom } from '../pill/corners'
import { resolveReference } from '../resolve'
import { usable } from './actionable'
import { ActFailure } from './failure'
import { focusedElement, moveFocus } from './focus'
import { keysOf, pressKey, submitByEnter, typeCharacter } from './keys'
import { NeedsYes, Permission } from './permission'
import { assertMayLeave, followsLink } from './leaving'
import { click, pointAt } from './pointer'
import type { ActReply, ActRequest } from './request'
import { scrollBy } from './scroll'
import {
  asItWouldBe,
  assertNoSecret,
  isNativeField,
  isNativeSwitch,
  setAtOnce,
  setField,
  valueShown,
  type NativeField,
} from './set_field'
import { guardSubmits, stoppedSubmit } from './submits'
import { editorAround, isTextField, placeCursor } from './text'
import { beginWatch } from './watch'

/** They move within the page, and say nothing to others. */
const MOVES = /^(?:Escape|Tab|Arrow\w+|Page(?:Up|Down)|Home|End)$/

export async function act(page: Document, state: PageState, request: ActRequest): Promise<ActReply> {
  state.references.continueFrom(request.next)
  const doing = new Act(page, state, request)
  try {
    const outcome = await doing.run()
    assertNothingStopped()
    return { state: 'done', next: state.references.next, ...doing.healing, ...outcome }
  } catch (failure) {
    const { next } = state.references
    if (failure instanceof NeedsYes) return { state: 'needs_approval', shown: failure.shown, next }
    if (!(failure instanceof ActFailure)) throw failure
    const { code, message, mayPass } = failure
    return { state: 'failed', code, message, mayPass: mayPass && !doing.hasBegun, hasBegun: doing.hasBegun, next }
  }
}

/** Throws for a form that was stopped: the owner is asked about it, and the act is then made again. */
function assertNothingStopped(): void {
  const { shown, failure } = stoppedSubmit() ?? {}
  if (shown) throw new NeedsYes(shown)
  if (failure) throw new ActFailure(failure.code, failure.message)
}

interface Outcome {
  value?: string
  address?: string
}

class Act {
  hasBegun = false
  healing: { healed?: [string, string] } = {}
  readonly #permission: Permission

  constructor(
    private readonly page: Document,
    private readonly state: PageState,
    private readonly request: ActRequest,
  ) {
    const { halts } = state
    this.#permission = new Permission(
      request.site,
      request.approved,
      () => state.halts !== halts,
      state.ledTo,
      request.dialog,
    )
  }

  async run(): Promise<Outcome> {
    this.#assertOnSite()
    guardSubmits(this.page, this.#permission)
    const { action } = this.request
    switch (action.do) {
      case 'set':
        return this.#set(action)
      case 'type':
        return this.#type(action)
      case 'press':
        return this.#press(action)
      case 'hover': {
        const { hit, point } = await usable(this.#elementOf(action.ref))
        this.#begin(hit)
        pointAt(hit, point)
        return {}
      }
      case 'scroll':
        return this.#scroll(action.to, action.ref ?? null)
      case 'go':
        return this.#go(action)
      default:
        return this.#click(action as ClickAction)
    }
  }

  #assertOnSite(): void {
    const address = webUrl(this.page.URL)
    if (address && covers(this.request.site, hostOf(address))) return
    const isFrame = this.page.defaultView !== this.page.defaultView?.top
    throw new ActFailure(isFrame ? 'frame_not_granted' : 'left_site', address ? hostOf(address) : '')
  }

  #elementOf(ref: string): Element {
    const resolution = resolveReference(this.page, this.state, Number(ref))
    if ('near' in resolution) {
      const near = resolution.near.length > 0 ? ` Near it: ${resolution.near.join(' ')}` : ''
      throw new ActFailure('stale_ref', `There is no control ${ref} any more.${near}`)
    }
    if (resolution.healedFrom !== undefined) this.healing = { healed: [ref, String(resolution.ref)] }
    return resolution.element
  }

  #begin(used: Element | null, mayOpen = true): void {
    this.#permission.assertGoesOn()
    if (used) makeRoom(used)
    beginWatch(this.page, used, mayOpen)
    this.hasBegun = true
  }

  get #isHealed(): boolean {
    return this.healing.healed !== undefined
  }

  async #click({ ref, count = 1, button = 'left', keys = [] }: ClickAction): Promise<Outcome> {
    const element = this.#elementOf(ref)
    await this.#permission.prepare(element)
    const { hit, point } = await usable(element)
    if (button === 'left' && followsLink(element)) assertMayLeave(this.page, this.state)
    if (count > 1 && !this.#permission.isFree(element, { do: 'click' }))
      throw new ActFailure('unsupported', 'This is clicked once, with a yes of the owner.')
    const assert = (): void => this.#permission.assert(element, { do: 'click' }, this.#isHealed)
    if (isNativeSwitch(element) && count === 1)
      asItWouldBe(element, element.type === 'radio' || !element.checked, assert)
    else assert()
    this.#begin(element)
    click(hit, { point, count, button, keys })
    return {}
  }

  async #set({ fields, submits = false }: SetAction): Promise<Outcome> {
    let last: Element | null = null
    for (const { ref, value } of fields) {
      last = this.#elementOf(ref)
      assertNoSecret(last)
      await this.#permission.prepare(last)
      makeRoom(last)
      if (isNativeField(last) && sendsOnChange(last)) await this.#setSending(last, value, fields.length === 1)
      else {
        this.#permission.assertFree(last, { do: 'set', submit: false })
        if (!this.hasBegun) beginWatch(this.page, last)
        await setField(last, value, this.#permission)
      }
      this.hasBegun = true
    }
    if (!last) throw new ActFailure('not_found', 'No field was named.')
    const value = valueShown(last)
    if (submits) await this.#submit(last)
    return { value }
  }

  /** Set a field that sends or opens something when it changes: asked about as it would be then. */
  async #setSending(field: NativeField, value: SetAction['fields'][number]['value'], isAlone: boolean): Promise<void> {
    const doing = { do: 'set', submit: false } as const
    if (!(field instanceof HTMLSelectElement)) await usable(field)
    asItWouldBe(field, value, () => {
      if (isAlone) this.#permission.assert(field, doing, this.#isHealed)
      else this.#permission.assertFree(field, doing)
    })
    if (!this.hasBegun) beginWatch(this.page, field)
    setAtOnce(field, value)
  }

  async #submit(field: Element): Promise<void> {
    await this.#permission.prepare(field)
    this.#permission.assert(field, { do: 'set', submit: true }, this.#isHealed)
    const form = 'form' in field ? field.form : field.closest('form')
    if (form instanceof HTMLFormElement) submitByEnter(form)
    else {
      moveFocus(field as HTMLElement)
      pressKey(this.page, 'Enter')
    }
  }

  async #type({ ref, text }: TypeAction): Promise<Outcome> {
    const element = ref ? this.#elementOf(ref) : focusedElement(this.page, shadowOf)
    if (!element) throw new ActFailure('not_found', 'No control has the focus.')
    assertNoSecret(element)
    if (/[\r\n]/.test(text)) throw new ActFailure('unsupported', 'Type one line, then press Enter.') // before any
    if (ref) await usable(element)
    const field = isTextField(element) ? element : editorAround(element)
    if (!field) this.#permission.assertUnknown(element)
    else this.#permission.assertFree(field, { do: 'set', submit: false })
    this.#begin(element)
    moveFocus((field ?? element) as HTMLElement)
    if (field && !isTextField(field)) placeCursor(field)
    for (const character of text) {
      typeCharacter(focusedElement(this.page, shadowOf) ?? field ?? element, character)
      await Promise.resolve() // some editors write a moment after they read
    }
    return field ? { value: valueShown(field) } : {}
  }

  async #press({ keys, times = 1 }: PressAction): Promise<Outcome> {
    const target = focusedElement(this.page, shadowOf) ?? this.page.body ?? this.page.documentElement
    await this.#permission.prepare(target)
    for (let turn = 0; turn < times; turn++) {
      this.#assertPress(keys)
      if (turn === 0) this.#begin(target)
      pressKey(this.page, keys)
    }
    return {}
  }

  /** Of the control that has the focus now. */
  #assertPress(combination: string): void {
    const { modifiers, key } = keysOf(combination)
    const target = focusedElement(this.page, shadowOf) ?? this.page.body ?? this.page.documentElement
    const isPlain = modifiers.every((one) => one === 'Shift')
    const field = isTextField(target) ? target : editorAround(target)
    if (isPlain && MOVES.test(key.key)) {
      if (target.matches('select, input')) this.#permission.assertFree(target, { do: 'set', submit: false })
      return
    }
    if (field) assertNoSecret(field)
    if (field && isPlain && key.key !== 'Enter') return this.#permission.assertFree(field, { do: 'set', submit: false })
    if (field && modifiers.join() === 'Control' && key.key.toLowerCase() === 'a') return
    if (isPlain && key.key === 'Enter') return this.#permission.assert(target, { do: 'enter' })
    if (isPlain && key.key === ' ') return this.#permission.assert(target, { do: 'click' })
    this.#permission.assertUnknown(target)
  }

  #scroll(to: 'down' | 'up' | 'top' | 'end' | 'ref', ref: string | null): Outcome {
    const element = ref === null ? null : this.#elementOf(ref)
    if (to === 'ref' && !element) throw new ActFailure('not_found', 'Scroll to ref needs a ref.')
    this.#begin(element, false)
    if (to === 'ref') element?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    else scrollBy(this.page, to, element)
    return {}
  }

  /** Return the address that the background then opens. */
  #go({ to, ref, path }: GoAction): Outcome {
    assertMayLeave(this.page, this.state)
    this.#permission.assertGoesOn()
    if (to === 'back' || to === 'forward' || to === 'reload') return this.#move(to)
    if (to === 'ref') {
      const link = ref ? this.#elementOf(ref).closest<HTMLAnchorElement>('a[href], area[href]') : null
      if (!link) throw new ActFailure('unsupported', 'That is no link. Click it instead.')
      return this.#opening(webUrl(link.href))
    }
    if (to !== 'path' || !path || !/^\/(?![/\\])/.test(path)) throw new ActFailure('unsupported', 'That is no path.')
    return this.#opening(webUrl(new URL(path, this.page.location.origin).href))
  }

  /** In Firefox, and anew, the background moves. */
  #move(to: 'back' | 'forward' | 'reload'): Outcome {
    if (to !== 'reload' && !import.meta.env.FIREFOX) history.go(to === 'back' ? -1 : 1)
    return {}
  }

  #opening(address: URL | null): Outcome {
    if (!address) throw new ActFailure('unsupported', 'That link leads to no page.')
    this.#permission.assertOpening(address, this.page)
    this.#begin(null)
    return { address: address.href }
  }
}
