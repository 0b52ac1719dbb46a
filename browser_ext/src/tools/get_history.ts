import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { visitOf, type Rules } from '../history/visit'
import { PERMISSION } from '../history/permission'
import type { GetHistoryArguments, Visit, Visits } from '../protocol.gen'
import { stored } from '../state/stored'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { hasTexts, tool } from './tool'

const DAY_MS = 86_400_000
/** Entries to read, so that enough remain after filtering. */
const LOOKED_AT = 1_000
const TOLD_MOST = 100

/**
 * Return visits from this browser's history, newest first: each as domain and title. Only while the owner shares it,
 * and without what sharing leaves out.
 */
export const getHistory = tool(
  isGetHistory,
  async ({ words, days }: GetHistoryArguments, { signal }: ToolContext): Promise<Visits> => {
    const rules = await rulesWhileShared()
    const query = { text: words, startTime: Date.now() - days * DAY_MS, maxResults: LOOKED_AT }
    const items = await abortable(browser.history.search(query), signal)
    const visits = items.flatMap(({ url, title, lastVisitTime }) => visitsOf(url, title, lastVisitTime, rules))
    return { visits: onceEach(visits).slice(0, TOLD_MOST) }
  },
)

/** Throws unless sharing is on here, whatever the server believes, and the browser permits it. */
async function rulesWhileShared(): Promise<Rules> {
  const [{ on, own }, pairing, isPermitted] = await Promise.all([
    stored.history.getValue(),
    stored.pairing.getValue(),
    browser.permissions.contains(PERMISSION),
  ])
  if (!on || !isPermitted || !pairing)
    throw new ToolFailure('not_granted', 'The browsing history of this browser is not shared.')
  return { server: pairing.server, own }
}

function visitsOf(url: string | undefined, title: string | undefined, time: number | undefined, rules: Rules): Visit[] {
  const visit = url && title && time ? visitOf({ url, title, at: new Date(time) }, rules) : null
  return visit ? [visit] : []
}

/** One visit for each site and title. */
function onceEach(visits: readonly Visit[]): Visit[] {
  const newestFirst = visits.toSorted((a, b) => b.visited_at.localeCompare(a.visited_at))
  return [
    ...new Map(newestFirst.toReversed().map((visit) => [`${visit.domain} ${visit.title}`, visit])).values(),
  ].toReversed()
}

function isGetHistory(value: unknown): value is GetHistoryArguments {
  return hasTexts(value, 'words') && 'days' in value && typeof value.days === 'number' && value.days > 0
}
