// In Chrome an extension cannot block a redirect by an event. Rules that the browser applies to the tab stop a request
// to a host without a grant before it is sent. They are coarser than `verdict`, which decides in the end.
import { browser } from 'wxt/browser'
import { isExact, webUrl } from '../../grants/hosts'
import type { GrantInfo } from '../../protocol.gen'
import { changeRules, isOfTab, type NewRule, type Rule } from './browser_rules'
import { isTabless, sessionRules, tablessRule } from './session_rules'

const LOWEST = 1
/** Chrome ends what a page left behind after half a minute. */
const LEFT_BEHIND_MS = 35_000
/** The rules for what clean tabs leave behind, by tab. */
const leftBehind = new Map<number, number>()

/**
 * Limit the tab to granted hosts, and to what its session permits, until `removeRedirectRules`. `url` is the address
 * that will be opened.
 */
export async function setRedirectRules(
  tabId: number,
  url: URL,
  grants: readonly GrantInfo[],
  session: GrantInfo['session'],
): Promise<void> {
  const spared = session === 'clean' ? await hostsOfTabs() : null
  const tabless = spared ? [tablessRule(spared)] : []
  const ofSession = sessionRules(tabId, url, session, browser.runtime.id)
  const newRules = [...tabless, ...ofSession, ...rulesFor(tabId, grants, session)]
  const [firstId] = await changeRules(() => ({ newRules }))
  if (spared && firstId !== undefined) leftBehind.set(tabId, firstId)
}

/** The owner's tabs keep their logins, also where a worker makes their requests. */
async function hostsOfTabs(): Promise<string[]> {
  const tabs = await browser.tabs.query({})
  const hosts = tabs.map(({ url }) => webUrl(url ?? '')?.hostname)
  return [...new Set([browser.runtime.id, ...hosts.filter((host) => host !== undefined)])]
}

export async function removeRedirectRules(tabId: number): Promise<void> {
  const lasting = leftBehind.get(tabId)
  leftBehind.delete(tabId)
  if (lasting !== undefined) setTimeout(() => void removeRules(({ id }) => id === lasting), LEFT_BEHIND_MS)
  await removeRules(isOfTab(tabId))
}

/** After the end of a background, which knows no more which of its tabs left something behind. */
export function removeTablessRules(): void {
  setTimeout(() => void removeRules((rule) => isTabless(rule) && !isLeftBehind(rule.id)), LEFT_BEHIND_MS)
}

function isLeftBehind(ruleId: number): boolean {
  return [...leftBehind.values()].includes(ruleId)
}

async function removeRules(isOver: (rule: Rule) => boolean): Promise<void> {
  await changeRules(() => ({ isOver }))
}

/**
 * The longer host has the higher priority, and on one host blocking beats allowing, as in `verdict`. With logins, a
 * host that may be read without them only is blocked: it is opened again in a clean session.
 */
export function rulesFor(
  tabId: number,
  grants: readonly GrantInfo[],
  session: GrantInfo['session'] = 'clean',
): NewRule[] {
  const readable = grants.filter((grant) => grant.capability === 'read')
  const everything = { priority: LOWEST, action: { type: 'block' }, condition: inTab(tabId) } as NewRule
  return [everything, ...readable.map((grant) => ruleFor(grant, tabId, session))]
}

function ruleFor(grant: GrantInfo, tabId: number, session: GrantInfo['session']): NewRule {
  const { host, state } = grant
  const isBlocked = state === 'blocked' || (session === 'owner' && grant.session === 'clean')
  const priority = LOWEST + host.length * 2 + (isBlocked ? 1 : 0)
  const where = isExact(host) ? { regexFilter: addressPattern(host) } : { requestDomains: [host] }
  return {
    priority,
    action: { type: isBlocked ? 'block' : 'allow' },
    condition: { ...inTab(tabId), ...where },
  }
}

function inTab(tabId: number): Rule['condition'] {
  return { tabIds: [tabId], resourceTypes: ['main_frame'] }
}

/** A pattern for the host with its port. URLs leave out the default port of their scheme. */
export function addressPattern(host: string): string {
  const [, name = '', port = ''] = /^(.*):(\d+)$/.exec(host) ?? []
  const pattern = name.replace(/[.[\]]/g, '\\$&')
  const isUsual = port === '80' || port === '443'
  return `^https?://${pattern}(:${port})${isUsual ? '?' : ''}[/?#]`
}
