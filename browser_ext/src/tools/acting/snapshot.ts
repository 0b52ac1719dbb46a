// The numbered lines of an errand's tab, out of all frames of its site.
import { browser } from 'wxt/browser'
import { joinFrames, type WholeSnapshot } from '../../acting/snapshot/frames'
import type { Line } from '../../acting/snapshot/line'
import { findLines } from '../../acting/snapshot/find'
import { layOut, partOf } from '../../acting/snapshot/parts'
import type { FrameSnapshot, SnapshotArguments } from '../../acting/snapshot/snapshot'
import { urlToTell } from '../../grants/hosts'
import { ToolFailure, type ToolContext } from '../../page_tabs/call_context'
import type { FindOnPageArguments, LineMatches, Snapshot, SnapshotPageArguments } from '../../protocol.gen'
import type { ErrandTab } from '../../state/stored'
import { hasTexts, tool } from '../tool'
import { changeTab, frameOf, presenceOf, siteUrl, tabNamed, withNumbers, type Presence } from './errand_tabs'
import { runSnapshot } from './page_scripts'

const FRAMES_MOST = 50
const MATCHES_MOST = 20

/** The lines of the last snapshot of each tab. After the death of the background, changes are not known once. */
const lastLines = new Map<string, readonly Line[]>()

export const snapshotPage = tool(
  isSnapshotPage,
  async ({ tab: name, filter, part, ref, characters }: SnapshotPageArguments, context): Promise<Snapshot> => {
    const presence = await presenceOf(await tabNamed(name), context)
    const options = {
      ...(filter && { filter }),
      ...(ref && { ref: Number(ref) }),
    }
    const { page, version } = await takeSnapshot(presence, options, context)
    const view = partOf(page, version, part, { characters, folds: filter !== 'controls' })
    return {
      url: urlToTell(await addressNow(presence.tab, context)),
      title: page.title,
      version,
      ...view,
      refs: page.refs,
      frames: page.frames
        .filter(({ host }) => host !== '')
        .map(({ host, isAllowed }) => ({ host, is_allowed: isAllowed })),
      is_cut: page.isCut,
    }
  },
)

export const findOnPage = tool(
  isFindOnPage,
  async ({ tab: name, words, role, limit }: FindOnPageArguments, context): Promise<LineMatches> => {
    const presence = await presenceOf(await tabNamed(name), context)
    const { page } = await takeSnapshot(presence, { filter: 'all' }, context)
    const matches = findLines(layOut(page.lines), words, role, Math.min(limit, MATCHES_MOST))
    return {
      url: urlToTell(await addressNow(presence.tab, context)),
      matches: matches.map(({ ref, ...match }) => ({ ...match, ...(ref !== undefined && { ref: String(ref) }) })),
    }
  },
)

async function addressNow(tab: ErrandTab, context: ToolContext): Promise<URL> {
  return (await presenceOf(tab, context)).url
}

export interface Taken {
  page: WholeSnapshot
  version: number
}

export async function takeSnapshot(
  { tab }: Presence,
  options: Omit<SnapshotArguments, 'next'>,
  context: ToolContext,
): Promise<Taken> {
  const isOn = (url: string) => isOnSite(url, tab, context)
  const frameIds = options.ref === undefined ? await framesToSee(tab.id, isOn) : [frameOf(tab, String(options.ref))]
  let numbered = tab
  const snapshots: FrameSnapshot[] = []
  for (const frameId of frameIds) {
    const frame = { tabId: tab.id, frameId, signal: context.signal }
    const snapshot = await runSnapshot(frame, { ...options, next: numbered.next })
    if (!snapshot) continue
    siteUrl(snapshot.url, tab.site, context)
    numbered = withNumbers(numbered, frameId, snapshot.next)
    snapshots.push(options.ref === undefined ? snapshot : { ...snapshot, place: [] })
  }
  const page = joinFrames(snapshots)
  if (!page) throw new ToolFailure(options.ref === undefined ? 'load_failed' : 'stale_ref', 'Nothing is there to see.')
  const version = tab.version + 1
  await changeTab(tab.name, { version, next: numbered.next, ranges: numbered.ranges })
  if (options.ref === undefined && options.filter === undefined) lastLines.set(tab.name, page.lines)
  return { page, version }
}

export type OnSite = (url: string) => boolean

/** The frames that Penny may see: the page itself, and those of its site. */
export async function framesToSee(tabId: number, isOnSite: OnSite): Promise<number[]> {
  const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? []
  const own = frames.filter(({ frameId, url }) => frameId === 0 || isOnSite(url))
  return own.slice(0, FRAMES_MOST).map(({ frameId }) => frameId)
}

function isOnSite(url: string, { site }: ErrandTab, context: ToolContext): boolean {
  try {
    return siteUrl(url, site, context) instanceof URL
  } catch {
    return false
  }
}

export function linesBefore(name: string): readonly Line[] | null {
  return lastLines.get(name) ?? null
}

export function forgetLines(name: string): void {
  lastLines.delete(name)
}

function isSnapshotPage(value: unknown): value is SnapshotPageArguments {
  if (!hasTexts(value, 'tab')) return false
  const { filter, part, characters } = value as unknown as SnapshotPageArguments
  const isFilter = filter === undefined || filter === 'all' || filter === 'controls'
  return isFilter && Number.isInteger(part) && Number.isInteger(characters)
}

function isFindOnPage(value: unknown): value is FindOnPageArguments {
  return hasTexts(value, 'tab', 'words', 'role') && Number.isInteger((value as unknown as FindOnPageArguments).limit)
}
