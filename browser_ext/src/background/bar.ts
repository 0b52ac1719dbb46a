// Bars in pages: brings one at the owner's call, and carries its asks to the server and the words back to it alone.
import { browser } from 'wxt/browser'
import { hostOf, webUrl } from '../grants/hosts'
import type { Error as ErrorFrame, TextDelta, TextDone } from '../protocol.gen'
import { say } from '../say'
import type { RequestFrame } from '../server/frames'
import { BAR_PORT, orderOf, type BarAsk, type BarNews, type BarOrder } from '../selection/wire'
import { BASICS } from '../page_tabs/run_in_page'
import { proposalOf, type Proposal } from '../state/proposal'
import { openPanel } from './open_panel'
import type { Port } from './own_pages'

const FILES = [BASICS, '/bar.js'] as const
/** What a page has at once; a new ask of the same bar ends the one before. */
const BARS_MOST = 16
const CALLED_MOST = 1_000

interface BarsHost {
  send(frame: RequestFrame): boolean
  isTemporary(): boolean
  server(): string | null
  /** The passage goes into the box of the panel. */
  propose(proposal: Proposal): void
}

export class Bars {
  readonly #ports = new Map<string, Port>()
  /** The frames that the owner called a bar into: no other has one. */
  readonly #called = new Set<string>()

  constructor(private readonly host: BarsHost) {}

  /** Bring the bar in the frame where the owner's cursor is. Rejects where no script may run. */
  async bring(tabId: number, frameId?: number): Promise<void> {
    const frame = frameId ?? (await focusedFrame(tabId))
    if (this.#called.size >= CALLED_MOST) this.#called.clear()
    this.#called.add(placeName(tabId, frame))
    await browser.scripting.executeScript({ target: { tabId, frameIds: [frame] }, files: [...FILES] })
  }

  /** Returns false for a port of another kind. */
  welcome(port: Port): boolean {
    if (port.name !== BAR_PORT) return false
    const { sender } = port
    const url = webUrl(sender?.url ?? '')
    const isCalled = sender?.id === browser.runtime.id && this.#called.has(placeName(sender.tab?.id, sender.frameId))
    if (!url || !isCalled || sender.tab?.incognito || this.#ports.size >= BARS_MOST) {
      port.disconnect()
      return true
    }
    port.onMessage.addListener((value: unknown) => {
      const order = orderOf(value)
      if (order) this.#obey(port, url, order)
    })
    port.onDisconnect.addListener(() => this.#leave(port))
    return true
  }

  /** Returns whether a bar waited for it. */
  take(frame: TextDelta | TextDone | ErrorFrame): boolean {
    const port = frame.ref ? this.#ports.get(frame.ref) : undefined
    if (!port || !frame.ref) return false
    const { ref } = frame
    if (frame.type === 'text.delta') tell(port, { type: 'delta', ref, index: frame.index, text: frame.text })
    else if (frame.type === 'text.done') tell(port, { type: 'done', ref, text: frame.text, made_by: frame.made_by })
    else tell(port, { type: 'failed', ref, message: frame.message })
    if (frame.type !== 'text.delta') this.#ports.delete(ref)
    return true
  }

  lose(): void {
    for (const [ref, port] of this.#ports) tell(port, { type: 'failed', ref, message: say('bar_lost') })
    this.#ports.clear()
  }

  #obey(port: Port, url: URL, order: BarOrder): void {
    if (order.type === 'ask') return this.#ask(port, hostOf(url), order)
    if (order.type === 'chat') return this.#propose(port, url, order.text)
    if (this.#ports.get(order.ref) !== port) return
    this.#ports.delete(order.ref)
    this.host.send({ type: 'text.cancel', ref: order.ref })
  }

  /** The site is that of the document that asks, as the browser tells it. */
  #ask(port: Port, host: string, { type: _, ...ask }: BarAsk): void {
    this.#leave(port)
    this.#ports.set(ask.ref, port)
    if (this.host.send({ type: 'text.ask', ...ask, host, temporary: this.host.isTemporary() })) return
    this.#ports.delete(ask.ref)
    tell(port, { type: 'failed', ref: ask.ref, message: say('offline') })
  }

  #propose({ sender }: Port, url: URL, selection: string): void {
    const { windowId, id: tabId, title } = sender?.tab ?? {}
    const server = this.host.server()
    openPanel(windowId)
    if (windowId === undefined || !server) return
    const target = { id: crypto.randomUUID(), windowId, ...(tabId !== undefined && { tabId }) }
    const about = { pageUrl: url.href, title: sender?.frameId ? '' : title, selection, isPrivate: false }
    this.host.propose(proposalOf({ choice: 'ask_selection', target, ...about }, server))
  }

  #leave(port: Port): void {
    for (const [ref, one] of this.#ports) {
      if (one !== port) continue
      this.#ports.delete(ref)
      this.host.send({ type: 'text.cancel', ref })
    }
  }
}

function placeName(tabId: number | undefined, frameId: number | undefined): string {
  return `${tabId ?? ''}:${frameId ?? ''}`
}

async function focusedFrame(tabId: number): Promise<number> {
  const frames = await browser.scripting.executeScript({ target: { tabId, allFrames: true }, func: isFocused })
  return frames.find(({ result }) => result)?.frameId ?? 0
}

/** Runs in the page. */
function isFocused(): boolean {
  return document.hasFocus() && !/^(iframe|frame)$/.test(document.activeElement?.localName ?? '')
}

function tell(port: Port, news: BarNews): void {
  try {
    port.postMessage(news)
  } catch (reason) {
    console.debug('Penny: the bar is gone', reason)
  }
}
