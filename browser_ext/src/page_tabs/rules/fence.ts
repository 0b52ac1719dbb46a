// Where the tab of an errand may go: to its site alone, and with a form by POST only in an act that the owner said yes
// to. Firefox cancels the request by an event; Chrome has rules for the tab. Between acts the owner may go where they
// want: then only what the page itself begins is held.
import { browser, type Browser } from 'wxt/browser'
import { covers } from '../../grants/grants'
import { hostOf, isExact, webUrl } from '../../grants/hosts'
import { changeRules, isOfTab, type NewRule } from './browser_rules'
import { addressPattern } from './redirect_rules'
import { untilStarted } from '../start'
import { stored, type ErrandTab } from '../../state/stored'

export type Phase = 'between' | 'act' | 'approved act'

/** A request of the main frame. `originUrl` is Firefox's word for who began it, `initiator` Chrome's. */
export interface PageRequest {
  tabId: number
  url: string
  method: string
  originUrl?: string
  initiator?: string
}

/** `leavesTo`: another host. Null: it would have sent a form. */
export interface Stop {
  leavesTo: string | null
}

const MAIN_FRAMES: Browser.webRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] }
const fences = new Map<number, { site: string; phase: Phase }>()

/** Call once when the background starts. */
export function guardFences(): void {
  if (!import.meta.env.FIREFOX) return
  const judge = (request: PageRequest) => ({ cancel: stopOf(request) !== null })
  browser.webRequest.onBeforeRequest.addListener(judge, MAIN_FRAMES, ['blocking'])
}

export async function fenceIn({ id, site }: Pick<ErrandTab, 'id' | 'site'>, phase: Phase): Promise<void> {
  await untilStarted()
  fences.set(id, { site, phase })
  if (!import.meta.env.FIREFOX) await setTabRules(id, fenceRules(id, site, phase))
}

export async function openFence(tabId: number): Promise<void> {
  await untilStarted()
  if (fences.delete(tabId) && !import.meta.env.FIREFOX) await setTabRules(tabId, [])
}

/** The fences of all stored tabs, as a start makes them anew. No act goes on over the end of a background. */
export async function restoreFences(): Promise<NewRule[]> {
  const tabs = (await stored.errandTabs.getValue()).filter(({ isTheirs }) => !isTheirs)
  fences.clear()
  for (const { id, site } of tabs) fences.set(id, { site, phase: 'between' })
  return tabs.flatMap(({ id, site }) => fenceRules(id, site, 'between'))
}

async function setTabRules(tabId: number, newRules: NewRule[]): Promise<void> {
  await changeRules(() => ({ isOver: isOfTab(tabId), newRules }))
}

/** Return why a request may not be made, null if it may. */
export function stopOf({ tabId, url: text, method, originUrl, initiator }: PageRequest): Stop | null {
  const fence = fences.get(tabId)
  const url = webUrl(text)
  if (!fence || !url) return null
  const beginner = webUrl(originUrl ?? initiator ?? '')
  if (fence.phase === 'between' && !(beginner && covers(fence.site, hostOf(beginner)))) return null
  if (!covers(fence.site, hostOf(url))) return { leavesTo: hostOf(url) }
  return method === 'POST' && fence.phase !== 'approved act' ? { leavesTo: null } : null
}

/** Of rules for one tab, the one with the higher priority counts. */
export function fenceRules(tabId: number, site: string, phase: Phase): NewRule[] {
  const byPage = phase === 'between' ? { initiatorDomains: [site.replace(/:\d+$/, '')] } : {}
  const inTab = { tabIds: [tabId], resourceTypes: ['main_frame'], ...byPage }
  const onSite = isExact(site) ? { regexFilter: addressPattern(site) } : { requestDomains: [site] }
  const rules = [
    { priority: 1, action: { type: 'block' }, condition: inTab },
    { priority: 2, action: { type: 'allow' }, condition: { ...inTab, ...onSite } },
    { priority: 3, action: { type: 'block' }, condition: { ...inTab, requestMethods: ['post'] } },
  ] as NewRule[]
  return phase === 'approved act' ? rules.slice(0, 2) : rules
}
