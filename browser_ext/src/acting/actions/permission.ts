// Nothing that reaches others or cannot be undone happens without the owner's yes to exactly that.
import { hashFilesAround } from '../consequences/file_hashes'
import type { Doing, Target, Verdict } from '../consequences/kinds'
import { shownOf } from '../consequences/shown'
import { defaultButton, isSubmitButton } from '../consequences/form_facts'
import {
  consequencesOf,
  consequencesOfOpening,
  consequencesOfSubmitting,
  formOf,
  withConfirmation,
} from '../consequences/verdict'
import { accessibleName } from '../names/accessible_name'
import type { Shown } from '../../protocol.gen'
import { ActFailure } from './failure'
import { documentName } from './document_name'

const MORE = 'It would send more than the owner can be shown.'
const LED_MOST = 50

/** The owner has to be asked. */
export class NeedsYes extends Error {
  constructor(readonly shown: Shown) {
    super('needs approval')
  }
}

export class Permission {
  #isUsed = false
  /** The digest of the control that is pressed. */
  #control: string | null = null
  /** The form that the owner said yes to. */
  #sending: { form: HTMLFormElement; target: Target; verdict: Verdict } | null = null

  /** `ledTo`: what a control turned out to send, by the digest of the control. */
  constructor(
    private readonly site: string,
    private readonly approved: string | undefined,
    private readonly isHalted: () => boolean,
    private readonly ledTo: Map<string, Shown> = new Map(),
    /** What the page asks about by a dialog of its own, when the act is made. */
    private readonly dialog = '',
  ) {}

  /** Call before the moment of the act: a file takes time to hash. */
  async prepare(element: Element): Promise<void> {
    await hashFilesAround(element)
  }

  /**
   * Throws NeedsYes; what nobody but the owner does has no yes. Call it in the same task as the act. `isHealed`: the
   * element took the place of the one that was meant.
   */
  assert(element: Element, doing: Doing, isHealed = false): void {
    const target = { element, name: accessibleName(element), submitter: submitterOf(element, doing) }
    this.#judge(target, consequencesOf(target, doing, this.site), isHealed)
  }

  /** Throws where the owner stopped it meanwhile. Each event comes after one of these. */
  assertGoesOn(): void {
    if (this.isHalted()) throw new ActFailure('owner_took_over', 'The owner stopped it.')
  }

  /** Whether it may be done several times at once. */
  isFree(element: Element, doing: Doing): boolean {
    return isFree(consequencesOf({ element, name: accessibleName(element) }, doing, this.site))
  }

  /** For a form that is about to be sent, by the act itself or by the page. A yes is for one form. */
  assertSubmit(form: HTMLFormElement, submitter: HTMLElement | null): void {
    const { form: approvedForm, target: approvedTarget } = this.#sending ?? {}
    if (form === approvedForm && submitter === approvedTarget?.submitter) return
    const button = submitter ?? defaultButton(form)
    const target = { element: button ?? form, name: button ? accessibleName(button) : '', submitter }
    const verdict = consequencesOfSubmitting(form, button, this.site)
    if (this.#control !== null && !isFree(verdict)) this.#askNextTime(this.#control, this.#factsOf(target, verdict))
    this.#judge(target, verdict, false)
  }

  /** For what the browser collected of a form, after all that the page did to it. */
  assertSent(form: HTMLFormElement, submitter: HTMLElement | null, data: FormData): void {
    if (this.#sending?.form !== form || this.#sending.target.submitter !== submitter) return
    const { target, verdict } = this.#sending
    const facts = shownOf({ ...target, data }, verdict, documentName())
    if (facts?.digest === this.approved) return
    throw facts ? new NeedsYes(facts) : new ActFailure('too_large', MORE)
  }

  /** For what is done on the way, which the owner could not be shown as one thing. */
  assertFree(element: Element, doing: Doing): void {
    this.assertGoesOn()
    if (this.isFree(element, doing)) return
    throw new ActFailure('unsupported', 'Setting this does more than set it. Click it instead.')
  }

  assertOpening(address: URL, page: Document): void {
    const target = { element: page.documentElement, name: `${address.host}${address.pathname}${address.search}` }
    this.#judge(target, consequencesOfOpening(address, this.site), false)
  }

  /** Ask in any case: nothing can be said about it. */
  assertUnknown(element: Element): void {
    this.#judge({ element, name: accessibleName(element) }, { kinds: [], certainty: 'none', ownerTask: null }, false)
  }

  #judge(target: Target, own: Verdict, isHealed: boolean): void {
    this.assertGoesOn()
    const verdict = this.dialog === '' ? own : withConfirmation(own)
    if (isFree(verdict)) return
    if (isHealed) throw new ActFailure('stale_ref', 'Another control is in its place.')
    const facts = this.#factsOf(target, verdict)
    if (verdict.ownerTask !== null && this.approved !== undefined)
      throw new ActFailure('unsupported', 'Only the owner does this, and no yes lets Penny do it.')
    const next = this.ledTo.get(facts.digest)
    if (this.approved !== undefined && !this.#isUsed && next?.digest === this.approved) {
      this.#control = facts.digest // the yes is for the form that it sends
      return
    }
    if (this.approved === facts.digest && !this.#isUsed) {
      this.#isUsed = true // a yes is for one time
      this.#control ??= facts.digest
      const form = formOf(target.element)
      if (form) this.#sending = { form, target, verdict }
      return
    }
    if (this.approved !== undefined)
      throw new ActFailure('changed_since_asked', 'The page is another one than asked about.')
    throw new NeedsYes(next ?? facts)
  }

  #factsOf(target: Target, verdict: Verdict): Shown {
    const facts = shownOf(target, verdict, documentName(), this.dialog)
    if (facts) return facts
    throw new ActFailure('too_large', MORE)
  }

  /** A control sends a form of which its question did not tell. The next one tells of that form. */
  #askNextTime(control: string, facts: Shown): void {
    if (facts.digest === this.approved && !this.#isUsed) return
    if (this.ledTo.size < LED_MOST) this.ledTo.set(control, facts)
    throw new NeedsYes(facts)
  }
}

/** The button by which the act sends the form of the element, as browsers do. */
function submitterOf(element: Element, doing: Doing): HTMLElement | null {
  if (isSubmitButton(element)) return element
  const isEntered = doing.do === 'enter' || (doing.do === 'set' && doing.submit)
  const form = isEntered ? formOf(element) : null
  return form && defaultButton(form)
}

function isFree({ kinds, certainty, ownerTask }: Verdict): boolean {
  return kinds.length === 0 && certainty !== 'none' && ownerTask === null
}
