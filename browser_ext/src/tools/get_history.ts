import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { visitOf, type Rules } from '../history/visit'
import { PERMISSION } from '../history/permission'
import type { GetHistoryArguments, Visit, Visits } from '../protocol.gen'
import { stored } from '../state/stored'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { hasTexts, tool } from './tool'

const DAY_MS = 86_400_000
/** Looked through, so that enough is left when the rest is left out. */
const LOOKED_AT = 1_000
const TOLD_MOST = 100

/**
 * Visits of this browser's own history, the newest first: only while the owner shares it, each as a domain and a title, and nothing that
 * sharing leaves out.
 */
export const getHistory = tool(isGetHistory, async ({ words, days }: GetHistoryArguments, { signal }: ToolContext): Promise<Visits> => {
  const rules = await rulesWhileShared()
  const query = { text: words, startTime: Date.now() - days * DAY_MS, maxResults: LOOKED_AT }
  const items = await abortable(browser.history.search(query), signal)
  const visits = items.flatMap(({ url, title, lastVisitTime }) => visitsOf(url, title, lastVisitTime, rules))
  return { visits: onceEach(visits).slice(0, TOLD_MOST) }
})

/** Throws unless the switch is on here, whatever the server believes, and the browser lets us look. */
async function rulesWhileShared(): Promise<Rules> {
  const [{ on, own }, pairing, isPermitted] = await Promise.all([
    stored.history.getValue(),
    stored.pairing.getValue(),
    browser.permissions.contains(PERMISSION),
  ])
  if (!on || !isPermitted || !pairing) throw new ToolFailure('not_granted', 'The browsing history of this browser is not shared.')
  return { server: pairing.server, own }
}

function visitsOf(url: string | undefined, title: string | undefined, time: number | undefined, rules: Rules): Visit[] {
  const visit = url && title && time ? visitOf({ url, title, at: new Date(time) }, rules) : null
  return visit ? [visit] : []
}

/** The same title on the same site is told once. */
function onceEach(visits: readonly Visit[]): Visit[] {
  const newestFirst = visits.toSorted((a, b) => b.visited_at.localeCompare(a.visited_at))
  return [...new Map(newestFirst.toReversed().map((visit) => [`${visit.domain} ${visit.title}`, visit])).values()].toReversed()
}

function isGetHistory(value: unknown): value is GetHistoryArguments {
  return hasTexts(value, 'words') && 'days' in value && typeof value.days === 'number' && value.days > 0
}
