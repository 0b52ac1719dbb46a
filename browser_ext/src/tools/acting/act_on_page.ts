// One act in the tab of an errand, at most once: begun in the journal before the first event, ended there with its
// result.
import { browser } from 'wxt/browser'
import { delay } from '../../abortable'
import type { ActReply, ActRequest, PageAction } from '../../acting/actions/request'
import type { PageLook } from '../../acting/actions/watch'
import { changesBetween, diffText } from '../../acting/snapshot/diff'
import type { Line } from '../../acting/snapshot/line'
import { partOf } from '../../acting/snapshot/parts'
import { urlToTell } from '../../grants/hosts'
import { ToolFailure, type ToolContext } from '../../page_tabs/call_context'
import type {
  Acted,
  ActOnPageArguments,
  ActOutcome,
  ActOutcomeArguments,
  Effects,
  GoAction,
  PageDialog,
  WaitAction,
} from '../../protocol.gen'
import { stored } from '../../state/stored'
import { hasTexts, tool } from '../tool'
import { ActEvents } from './act_events'
import {
  changeTab,
  frameOf,
  inTurn,
  presenceOf,
  tabNamed,
  untilInterrupted,
  withNumbers,
  type Presence,
} from './errand_tabs'
import { actWith, beginAct, endAct, forgetAct, noteQuestion, takeYes } from './journal'
import { fenceIn, type Stop } from '../../page_tabs/rules/fence'
import { dialogOfAct, guardDialogs, noteAsked, noteRefusal, takeDialog } from './page_dialogs'
import { runAct, runHalt, runLook, type Frame } from './page_scripts'
import { load, loadAgain, settle, waitForDocument } from './settle'
import { linesBefore, takeSnapshot, type Taken } from './snapshot'
import { waitFor } from './wait'

/** Of a control that cannot be used yet, in milliseconds. */
const TRY_AGAIN_AFTER = [20, 100, 100, 250, 500, 500, 500, 500, 500, 500, 500, 500, 500]
/** Until the browser shows that it stopped a page. */
const LOST_MS = 2_000
const POLL_MS = 20
/** Until a page goes through its history. */
const MOVE_MS = 1_500
const CHANGES_CHARACTERS = 8_000
const VALUE_CHARACTERS = 200

type Action = ActOnPageArguments['action']

export const actOnPage = tool(isActOnPage, (call: ActOnPageArguments, context): Promise<Acted> =>
  inTurn(call.tab, () => actOnce(call, untilInterrupted(call.tab, context))),
)

export const actOutcome = tool(isActOutcome, async ({ act_id }: ActOutcomeArguments): Promise<ActOutcome> => {
  const entry = await actWith(act_id)
  if (!entry) return { act_id, state: 'unknown' }
  return entry.acted ? { act_id, state: 'done', acted: entry.acted } : { act_id, state: 'begun' }
})

async function actOnce(call: ActOnPageArguments, context: ToolContext): Promise<Acted> {
  const earlier = await actWith(call.act_id)
  if (earlier?.acted) return earlier.acted
  if (earlier) throw new ToolFailure('outcome_unknown', 'Nobody knows whether this was done before.')
  const presence = await presenceOf(await tabNamed(call.tab), context)
  if (call.approved) await takeYes(call.approved, call.tab)
  await beginAct(call.act_id)
  const doing = new Doing(call, presence, context)
  try {
    const acted = await doing.run()
    if (acted.state === 'done') await endAct(call.act_id, acted)
    else await forgetAct(call.act_id)
    return acted
  } catch (failure) {
    if (!doing.mayHaveHappened) await forgetAct(call.act_id)
    throw failure
  }
}

class Doing {
  mayHaveHappened = false
  readonly #frame: Frame
  readonly #events: ActEvents
  readonly #dialogs = `penny${crypto.randomUUID()}`
  /** The words of a dialog that was answered no, when the same act is made again. */
  readonly #words: string | null

  constructor(
    private readonly call: ActOnPageArguments,
    private readonly before: Presence,
    private readonly context: ToolContext,
  ) {
    const { tab } = before
    this.#frame = { tabId: tab.id, frameId: frameOf(tab, refOf(call.action)), signal: context.signal }
    this.#words = dialogOfAct(tab.name, call.action, call.approved)
    this.#events = new ActEvents(tab.id, () => this.#guardDialogs())
  }

  async #guardDialogs(frameId = 0): Promise<void> {
    await guardDialogs(this.before.tab.id, frameId, this.#dialogs, this.call.approved ? this.#words : null)
  }

  async #takeDialog(): Promise<PageDialog | null> {
    const { tabId, frameId } = this.#frame
    const frames = frameId === 0 ? [0] : [frameId, 0]
    const dialogs = await Promise.all(frames.map((one) => takeDialog(tabId, one, this.#dialogs)))
    return dialogs.find((dialog) => dialog !== null) ?? null
  }

  async run(): Promise<Acted> {
    await Promise.all([this.#guardDialogs(), this.#guardDialogs(this.#frame.frameId)])
    const { signal } = this.context
    const halt = (): void => void runHalt({ ...this.#frame, signal: new AbortController().signal })
    signal.addEventListener('abort', halt, { once: true })
    await fenceIn(this.before.tab, this.call.approved ? 'approved act' : 'act')
    try {
      return await this.#run()
    } finally {
      signal.removeEventListener('abort', halt)
      await endPhase(this.call.tab)
      this.#events.end()
      if (!this.#events.hasClosedTab) await this.#takeDialog()
    }
  }

  async #run(): Promise<Acted> {
    const { action } = this.call
    const { tab } = this.before
    const first = await runLook(this.#frame, { next: tab.next, begins: true })
    if (!first) return this.#leaveUnseen(action)
    let reply: ActReply | null = null
    if (isWait(action)) await waitFor(action, this.#frame, first.next, this.context)
    else {
      reply = await this.#actInPage(action, first.next)
      if (reply?.state === 'needs_approval') return this.#question(reply.shown)
      if (reply?.state === 'failed') {
        this.mayHaveHappened = reply.hasBegun
        throw new ToolFailure(reply.code, reply.message)
      }
      if (isMove(action)) await this.#move(action.to)
      else if (reply?.address) await this.#open(reply.address)
    }
    const look = isWait(action)
      ? first
      : await settle(this.#frame, this.#events, first.document, reply?.next ?? first.next)
    if (this.#events.stop) await this.#comeBack(this.#events.stop)
    if (await this.#isLost()) await this.#comeBackFromError()
    if (look?.stopped?.shown) return this.#question(look.stopped.shown)
    if (look?.stopped?.failure) throw new ToolFailure(look.stopped.failure.code, look.stopped.failure.message)
    return this.#acted(reply?.state === 'done' ? reply : null, look)
  }

  async #actInPage(action: PageAction, next: number): Promise<ActReply | null> {
    const { approved } = this.call
    const request: ActRequest = { action, site: this.before.tab.site, next, ...(approved && { approved }) }
    if (this.#words !== null) request.dialog = this.#words
    for (const pause of [...TRY_AGAIN_AFTER, null]) {
      this.context.signal.throwIfAborted()
      this.mayHaveHappened = true
      const reply = await runAct(this.#frame, request)
      if (reply) await this.#noteNumbers(reply.next)
      this.mayHaveHappened = reply === null || reply.state === 'done' || (reply.state === 'failed' && reply.hasBegun)
      if (reply?.state !== 'failed' || !reply.mayPass || pause === null) return reply
      request.next = reply.next
      await delay(pause, this.context.signal)
    }
    return null
  }

  async #noteNumbers(next: number): Promise<void> {
    const tab = await tabNamed(this.call.tab)
    const { next: free, ranges } = withNumbers(tab, this.#frame.frameId, next)
    await changeTab(tab.name, { next: free, ranges })
  }

  /**
   * Through the history, which asks no page. In Chrome the page itself goes if it can be seen: there, the browser
   * leaves out all pages that nobody pressed on, as those are that Penny opened.
   */
  async #move(to: 'back' | 'forward' | 'reload', isUnseen = false): Promise<void> {
    const { id } = this.before.tab
    this.mayHaveHappened = true
    if (to === 'reload') {
      this.#events.isLeaving = true
      return browser.tabs.reload(id)
    }
    const moving =
      import.meta.env.FIREFOX || isUnseen
        ? to === 'back'
          ? browser.tabs.goBack(id)
          : browser.tabs.goForward(id)
        : this.#untilMoving()
    await moving.catch((reason: unknown) => {
      console.info('Penny: the history ends here', reason)
      throw new ToolFailure('navigation_failed', 'There is no such page in the history of the tab.')
    })
  }

  async #untilMoving(): Promise<void> {
    const endsAt = Date.now() + MOVE_MS
    while (!this.#events.isLeaving && !this.#events.hasMoved) {
      if (Date.now() > endsAt) throw new Error('the page stays')
      await delay(POLL_MS, this.context.signal)
    }
  }

  async #open(address: string): Promise<void> {
    this.#events.isLeaving = true
    const loading = (): Promise<void> =>
      load(this.#frame, address, this.before.tab.next, () => this.#events.stop !== null)
    await (this.call.approved ? loading() : loadAgain(loading)) // what needed a yes is asked for once
  }

  /** The page stays where it is. In Chrome the browser's own page about the stop took its place: it is loaded again. */
  async #comeBack({ leavesTo }: Stop): Promise<never> {
    const { next } = this.before.tab
    if (!import.meta.env.FIREFOX) {
      const endsAt = Date.now() + LOST_MS
      while (Date.now() < endsAt && !this.#events.hasFailed) await delay(POLL_MS, this.context.signal)
      // back would skip pages that nobody pressed on
      await loadAgain(() => load({ ...this.#frame, frameId: 0 }, this.before.url.href, next))
    }
    if (leavesTo !== null) throw new ToolFailure('left_site', leavesTo)
    throw new ToolFailure('unsupported', 'The page would send a form of which nothing can be said.')
  }

  /** Whether the browser shows an error in place of the page, and nothing was sent that the next try would repeat. */
  async #isLost(): Promise<boolean> {
    const { hasFailed, hasClosedTab, writes } = this.#events
    if (!hasFailed || hasClosedTab || this.call.approved || writes > 0) return false
    return (await runLook({ ...this.#frame, frameId: 0 }, { next: this.before.tab.next })) === null
  }

  /** The browser's own page about the error has nothing to press or to look at: it would be the end of the errand. */
  async #comeBackFromError(): Promise<never> {
    await loadAgain(() => load({ ...this.#frame, frameId: 0 }, this.before.url.href, this.before.tab.next))
    throw new ToolFailure('navigation_failed', 'The page did not load.')
  }

  /** A page that cannot be looked at can be loaded anew, and left through the history. */
  async #leaveUnseen(action: Action): Promise<Acted> {
    if (!isMove(action)) throw new ToolFailure('load_failed', 'The browser does not let Penny act on this page.')
    await this.#move(action.to, true)
    await waitForDocument(this.#frame, this.before.tab.next, () => this.#events.stop !== null)
    if (this.#events.stop) await this.#comeBack(this.#events.stop)
    return this.#acted(null, null)
  }

  async #question(facts: NonNullable<Acted['shown']>): Promise<Acted> {
    await noteQuestion(facts.digest, this.call.tab)
    if (this.#words !== null) noteAsked(facts.digest, this.#words, this.call.action)
    return {
      act_id: this.call.act_id,
      state: 'needs_approval',
      url: urlToTell(this.before.url),
      shown: facts,
    }
  }

  async #acted(reply: (ActReply & { state: 'done' }) | null, look: PageLook | null): Promise<Acted> {
    const dialog = this.#events.hasClosedTab ? null : await this.#takeDialog()
    if (dialog) noteRefusal(this.call.tab, this.call.action, dialog)
    if (look) await this.#noteNumbers(look.next)
    if (this.#events.hasClosedTab) throw new ToolFailure('no_tab', 'The page closed its tab.')
    const old = linesBefore(this.call.tab)
    const { now, taken, isOther } = await this.#see(look === null)
    const hasNavigated = isOther || this.#events.hasMoved || now.url.href !== this.before.url.href
    const changes = isOther ? '' : changesText(old, taken)
    return {
      act_id: this.call.act_id,
      state: 'done',
      url: urlToTell(now.url),
      effects: this.#effects(hasNavigated, isOther ? null : look, dialog, reply?.value, changes),
      changes,
      version: taken.version,
      ...(reply?.healed && { healed: reply.healed }),
    }
  }

  /**
   * Look at the page after the act. A page that had been quiet may leave just now, as after an upload: then at the
   * next.
   */
  async #see(isOther: boolean): Promise<{ now: Presence; taken: Taken; isOther: boolean }> {
    const now = await this.#presenceNow()
    try {
      return { now, taken: await takeSnapshot(now, {}, this.context), isOther }
    } catch (failure) {
      if (!(failure instanceof ToolFailure && failure.code === 'load_failed')) throw failure
      console.info('Penny: the page left while it was looked at')
    }
    await waitForDocument(this.#frame, now.tab.next, () => this.#events.stop !== null)
    if (this.#events.stop) await this.#comeBack(this.#events.stop)
    const next = await this.#presenceNow()
    return { now: next, taken: await takeSnapshot(next, {}, this.context), isOther: true }
  }

  async #presenceNow(): Promise<Presence> {
    return presenceOf(await tabNamed(this.call.tab), this.context)
  }

  #effects(
    hasNavigated: boolean,
    look: PageLook | null,
    dialog: PageDialog | null,
    value: string | undefined,
    changes: string,
  ): Effects {
    const { writes, hasOpenedTab, hasClosedTab } = this.#events
    const isQuiet = !hasNavigated && !look?.hasChanged && !hasOpenedTab && !dialog && writes === 0 && changes === ''
    return {
      has_navigated: hasNavigated,
      is_same_page: look !== null,
      has_opened_tab: hasOpenedTab,
      has_closed_tab: hasClosedTab,
      ...(dialog && { dialog }),
      ...(look?.focus && { focus: String(look.focus) }),
      opened: (look?.opened ?? []).map(String),
      ...(value !== undefined && { value: value.slice(0, VALUE_CHARACTERS) }),
      writes: Math.min(writes, 9_999),
      is_nothing: isQuiet,
    }
  }
}

/** Return what differs from the lines before; all lines for a new background, which knows none before. */
function changesText(old: readonly Line[] | null, { page, version }: Taken): string {
  const text = old ? diffText(changesBetween(old, page.lines), CHANGES_CHARACTERS) : null
  return (text ?? partOf(page, version, 1, { characters: CHANGES_CHARACTERS }).text).slice(0, CHANGES_CHARACTERS)
}

/** Unless the owner has taken the page, or it was given back. */
async function endPhase(name: string): Promise<void> {
  const tab = (await stored.errandTabs.getValue()).find((one) => one.name === name)
  if (tab && !tab.isTheirs) await fenceIn(tab, 'between')
}

function refOf(action: Action): string | null {
  if ('fields' in action) return action.fields[0]?.ref ?? null
  return 'ref' in action ? (action.ref ?? null) : null
}

function isWait(action: Action): action is WaitAction {
  return action.do === 'wait'
}

function isMove(action: Action): action is GoAction & { to: 'back' | 'forward' | 'reload' } {
  return action.do === 'go' && 'to' in action && ['back', 'forward', 'reload'].includes(action.to)
}

const ACTIONS = new Set(['click', 'set', 'type', 'press', 'hover', 'scroll', 'go', 'wait'])

function isActOnPage(value: unknown): value is ActOnPageArguments {
  if (!hasTexts(value, 'tab', 'act_id') || !('action' in value)) return false
  const { action } = value as unknown as ActOnPageArguments
  return typeof action === 'object' && action !== null && ACTIONS.has(String(action.do))
}

function isActOutcome(value: unknown): value is ActOutcomeArguments {
  return hasTexts(value, 'act_id')
}
