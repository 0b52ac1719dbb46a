// In Chrome an extension cannot block a redirect by an event. Rules that the browser applies to the tab stop a request
// to a host without a grant before it is sent. They are coarser than `verdict`, which decides in the end.
import { browser, type Browser } from 'wxt/browser'
import { isExact } from '../grants/hosts'
import { InTurn } from '../server/in_turn'
import type { GrantInfo } from '../protocol.gen'

type Rule = Browser.declarativeNetRequest.Rule

const LOWEST = 1
const HIGHEST = 10_000 // an allowing rule hides those below it
// Ids are chosen among the free ones: two calls must not choose the same.
const turn = new InTurn()
const EVERYTHING = [
  'main_frame',
  'sub_frame',
  'stylesheet',
  'script',
  'image',
  'font',
  'object',
  'xmlhttprequest',
  'ping',
  'csp_report',
  'media',
  'websocket',
  'other',
]

/** Limit the tab to granted hosts until `removeRedirectRules`. In a clean session, also remove the owner's cookies. */
export async function setRedirectRules(
  tabId: number,
  grants: readonly GrantInfo[],
  session: GrantInfo['session'],
): Promise<void> {
  await turn.next(async () => {
    const rules = await browser.declarativeNetRequest.getSessionRules()
    const firstId = Math.max(0, ...rules.map((rule) => rule.id)) + 1
    const bare = session === 'clean' ? [bareRule(tabId, firstId)] : []
    const addRules = [...bare, ...rulesFor(tabId, grants, firstId + bare.length)]
    await browser.declarativeNetRequest.updateSessionRules({ addRules })
  })
}

export async function removeRedirectRules(tabId: number): Promise<void> {
  await turn.next(async () => {
    const rules = await browser.declarativeNetRequest.getSessionRules()
    const own = rules.filter((rule) => rule.condition.tabIds?.includes(tabId))
    await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds: own.map((rule) => rule.id) })
  })
}

/** Tabs that have rules. Ids are valid for this run of the browser, and so are the rules. */
export async function tabsWithRules(): Promise<ReadonlySet<number>> {
  const rules = await browser.declarativeNetRequest.getSessionRules()
  return new Set(rules.flatMap((rule) => rule.condition.tabIds ?? []))
}

/** The longer host has the higher priority, and on one host blocking beats allowing, as in `verdict`. */
export function rulesFor(tabId: number, grants: readonly GrantInfo[], firstId: number): Rule[] {
  const readable = grants.filter((grant) => grant.capability === 'read')
  const everything = { id: firstId, priority: LOWEST, action: { type: 'block' }, condition: inTab(tabId) } as Rule
  return [everything, ...readable.map((grant, index) => ruleFor(grant, tabId, firstId + 1 + index))]
}

function ruleFor({ host, state }: GrantInfo, tabId: number, id: number): Rule {
  const isBlocked = state === 'blocked'
  const priority = LOWEST + host.length * 2 + (isBlocked ? 1 : 0)
  const where = isExact(host) ? { regexFilter: addressPattern(host) } : { requestDomains: [host] }
  return { id, priority, action: { type: isBlocked ? 'block' : 'allow' }, condition: { ...inTab(tabId), ...where } }
}

/** Remove cookies from requests and responses of the tab: Chrome has no containers. */
export function bareRule(tabId: number, id: number): Rule {
  const without = (...headers: string[]) => headers.map((header) => ({ header, operation: 'remove' }))
  const action = {
    type: 'modifyHeaders',
    requestHeaders: without('cookie', 'authorization'),
    responseHeaders: without('set-cookie'),
  }
  return { id, priority: HIGHEST, action, condition: { tabIds: [tabId], resourceTypes: EVERYTHING } } as Rule
}

function inTab(tabId: number): Rule['condition'] {
  return { tabIds: [tabId], resourceTypes: ['main_frame'] }
}

/** A pattern for the host with its port. URLs leave out the default port of their scheme. */
function addressPattern(host: string): string {
  const [, name = '', port = ''] = /^(.*):(\d+)$/.exec(host) ?? []
  const pattern = name.replace(/[.[\]]/g, '\\$&')
  const isUsual = port === '80' || port === '443'
  return `^https?://${pattern}(:${port})${isUsual ? '?' : ''}[/?#]`
}
