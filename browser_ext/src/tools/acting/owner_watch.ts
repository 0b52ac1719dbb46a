// Hears the owner on the pages that Penny acts on. Scripts in pages can send us no message: each waits for its owner,
// and what it brings is the result of a call that we made.
import { browser } from 'wxt/browser'
import type { OwnerMove, PillWords } from '../../acting/pill/pill'
import { covers } from '../../grants/grants'
import { hostOf, webUrl } from '../../grants/hosts'
import { ToolFailure } from '../../page_tabs/call_context'
import type { ErrandInfo } from '../../protocol.gen'
import { say } from '../../say'
import { stored, type ErrandTab } from '../../state/stored'
import { changeTab, goOnIn, interrupt, removeTab } from './errand_tabs'
import { fenceIn, guardFences, openFence } from '../../page_tabs/rules/fence'
import { runAwaitOwner, runLeaveOwner } from './page_scripts'

const FRAMES_MOST = 50
const TOP_FRAME = 0

/** Tell the server what the owner wants. False: the errand is over there. */
export type Steer = (errand: string, move: OwnerMove) => Promise<boolean>

export class OwnerWatch {
  readonly #signal = new AbortController().signal
  #tabs: readonly ErrandTab[] = []

  constructor(private readonly steer: Steer) {}

  /** Call once when the background starts. */
  async listen(): Promise<void> {
    browser.webNavigation.onCommitted.addListener(({ tabId, frameId, url }) => {
      const tab = this.#tabs.find(({ id }) => id === tabId)
      if (tab && isOnSite(url, tab)) void this.#attend(tab, frameId)
    })
    stored.errandTabs.watch((tabs) => this.#follow(tabs))
    guardFences()
    this.#follow(await stored.errandTabs.getValue())
  }

  /** The server says how an errand stands: its owner may have taken or given back the page elsewhere, or ended it. */
  async take({ id, state }: Pick<ErrandInfo, 'id' | 'state'>): Promise<void> {
    const isTheirs = state !== 'running' && state !== 'waiting'
    for (const tab of await stored.errandTabs.getValue())
      if (tab.errand === id && tab.isTheirs !== isTheirs) await this.#give(tab, isTheirs)
  }

  async #give(tab: ErrandTab, isTheirs: boolean): Promise<void> {
    if (isTheirs) interrupt(tab.name, new ToolFailure('owner_took_over', 'The owner has the page.'))
    else goOnIn(tab.name)
    await changeTab(tab.name, { isTheirs })
  }

  #follow(tabs: readonly ErrandTab[]): void {
    const before = this.#tabs
    this.#tabs = tabs
    for (const tab of tabs) {
      const old = before.find(({ name }) => name === tab.name)
      if (old?.isTheirs !== tab.isTheirs) void this.#attendAll(tab)
      if (old && old.isTheirs !== tab.isTheirs) void (tab.isTheirs ? openFence(tab.id) : fenceIn(tab, 'between'))
    }
    const gone = before.filter(({ id }) => !tabs.some((tab) => tab.id === id))
    for (const { id } of gone) void Promise.all([this.#leave(id), openFence(id)])
  }

  async #attendAll(tab: ErrandTab): Promise<void> {
    const frames = await framesOf(tab.id)
    for (const { frameId } of frames.filter(({ url }) => isOnSite(url, tab))) void this.#attend(tab, frameId)
  }

  async #attend(tab: ErrandTab, frameId: number): Promise<void> {
    const request = { words: frameId === TOP_FRAME ? wordsFor(tab) : null, isTheirs: tab.isTheirs }
    const move = await runAwaitOwner({ tabId: tab.id, frameId, signal: this.#signal }, request)
    if (move !== null) await this.#obey(tab, move)
  }

  async #obey(tab: ErrandTab, move: OwnerMove): Promise<void> {
    const now = (await stored.errandTabs.getValue()).find(({ name }) => name === tab.name)
    if (!now) return
    if (move === 'stop') interrupt(now.name, new ToolFailure('cancelled', 'The owner stopped it.'))
    if (move !== 'hand_back') await this.#give(now, true)
    if (!(await this.steer(now.errand, move))) return removeTab(now.name)
    if (move === 'hand_back') await this.#give(now, false)
  }

  async #leave(id: number): Promise<void> {
    for (const { frameId } of await framesOf(id)) void runLeaveOwner({ tabId: id, frameId, signal: this.#signal })
  }
}

async function framesOf(tabId: number): Promise<{ frameId: number; url: string }[]> {
  const frames = await browser.webNavigation.getAllFrames({ tabId }).catch(() => null) // closed
  return (frames ?? []).slice(0, FRAMES_MOST)
}

function isOnSite(text: string, { site }: ErrandTab): boolean {
  const url = webUrl(text)
  return url !== null && covers(site, hostOf(url))
}

function wordsFor({ isTheirs }: ErrandTab): PillWords {
  const move = say('pill_move')
  if (isTheirs) return { title: say('pill_yours'), move, buttons: [{ move: 'hand_back', name: say('pill_hand_back') }] }
  return {
    title: say('pill_acting'),
    move,
    buttons: [
      { move: 'stop', name: say('pill_stop') },
      { move: 'take_over', name: say('pill_take_over') },
    ],
  }
}
