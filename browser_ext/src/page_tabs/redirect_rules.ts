// In Chrome an extension cannot block a redirect by an event. Rules that the browser applies to the tab stop a request
// to a host without a grant before it is sent. They are coarser than `verdict`, which decides in the end.
import { browser, type Browser } from 'wxt/browser'
import { isExact, webUrl } from '../grants/hosts'
import { InTurn } from '../server/in_turn'
import type { GrantInfo } from '../protocol.gen'
import { isTabless, sessionRules, tablessRule } from './session_rules'

type Rule = Browser.declarativeNetRequest.Rule

const LOWEST = 1
// Ids are chosen among the free ones: two calls must not choose the same.
const turn = new InTurn()
/** Chrome ends what a page left behind after half a minute. */
const LEFT_BEHIND_MS = 35_000
/** The rules for what clean tabs leave behind, by tab. */
const leftBehind = new Map<number, number>()

/**
 * Limit the tab to granted hosts, and to what its session permits, until `removeRedirectRules`. `url` is the address that
 * will be opened.
 */
export async function setRedirectRules(
  tabId: number,
  url: URL,
  grants: readonly GrantInfo[],
  session: GrantInfo['session'],
): Promise<void> {
  const spared = session === 'clean' ? await hostsOfTabs() : null
  await turn.next(async () => {
    const rules = await browser.declarativeNetRequest.getSessionRules()
    const firstId = Math.max(0, ...rules.map((rule) => rule.id)) + 1
    const without = [...sessionRules(tabId, url, session, browser.runtime.id), ...(spared ? [tablessRule(spared)] : [])]
    const own = without.map((rule, index) => ({ ...rule, id: firstId + index }))
    if (spared) leftBehind.set(tabId, firstId + own.length - 1)
    const addRules = [...own, ...rulesFor(tabId, grants, firstId + own.length, session)]
    await browser.declarativeNetRequest.updateSessionRules({ addRules })
  })
}

/** Put rules in place of all those that the tab has. */
export async function setTabRules(tabId: number, rules: readonly Omit<Rule, 'id'>[]): Promise<void> {
  await turn.next(async () => {
    const present = await browser.declarativeNetRequest.getSessionRules()
    const firstId = Math.max(0, ...present.map((rule) => rule.id)) + 1
    const removeRuleIds = present.filter(({ condition }) => condition.tabIds?.includes(tabId)).map(({ id }) => id)
    const addRules = rules.map((rule, index) => ({ ...rule, id: firstId + index }))
    await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds, addRules })
  })
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
  await removeRules((rule) => rule.condition.tabIds?.includes(tabId) ?? false)
}

/** After the end of a background, which knows no more which of its tabs left something behind. */
export function removeTablessRules(): void {
  setTimeout(() => void removeRules((rule) => isTabless(rule) && !isLeftBehind(rule.id)), LEFT_BEHIND_MS)
}

function isLeftBehind(ruleId: number): boolean {
  return [...leftBehind.values()].includes(ruleId)
}

async function removeRules(isOver: (rule: Rule) => boolean): Promise<void> {
  await turn.next(async () => {
    const rules = await browser.declarativeNetRequest.getSessionRules()
    const removeRuleIds = rules.filter(isOver).map((rule) => rule.id)
    await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds })
  })
}

/** Tabs that have rules. Ids are valid for this run of the browser, and so are the rules. */
export async function tabsWithRules(): Promise<ReadonlySet<number>> {
  const rules = await browser.declarativeNetRequest.getSessionRules()
  return new Set(rules.flatMap((rule) => rule.condition.tabIds ?? []))
}

/**
 * The longer host has the higher priority, and on one host blocking beats allowing, as in `verdict`. With logins, a host
 * that may be read without them only is blocked: it is opened again in a clean session.
 */
export function rulesFor(
  tabId: number,
  grants: readonly GrantInfo[],
  firstId: number,
  session: GrantInfo['session'] = 'clean',
): Rule[] {
  const readable = grants.filter((grant) => grant.capability === 'read')
  const everything = { id: firstId, priority: LOWEST, action: { type: 'block' }, condition: inTab(tabId) } as Rule
  return [everything, ...readable.map((grant, index) => ruleFor(grant, tabId, firstId + 1 + index, session))]
}

function ruleFor(grant: GrantInfo, tabId: number, id: number, session: GrantInfo['session']): Rule {
  const { host, state } = grant
  const isBlocked = state === 'blocked' || (session === 'owner' && grant.session === 'clean')
  const priority = LOWEST + host.length * 2 + (isBlocked ? 1 : 0)
  const where = isExact(host) ? { regexFilter: addressPattern(host) } : { requestDomains: [host] }
  return { id, priority, action: { type: isBlocked ? 'block' : 'allow' }, condition: { ...inTab(tabId), ...where } }
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
