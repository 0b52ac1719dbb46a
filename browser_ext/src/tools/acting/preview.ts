// A tab as Penny would see it, for its owner alone: nothing is sent, and what an errand knows of the tab stays as it
// is.
import { joinFrames } from '../../acting/snapshot/frames'
import { partsOf } from '../../acting/snapshot/parts'
import type { FrameSnapshot } from '../../acting/snapshot/snapshot'
import { covers } from '../../grants/grants'
import { hostOf, webUrl } from '../../grants/hosts'
import { ToolFailure } from '../../page_tabs/call_context'
import { NotReadable, READ_MS, tabToShow } from '../../page_tabs/page_of_tab'
import { say } from '../../say'
import type { Sight } from '../../state/panel_state'
import { stored } from '../../state/stored'
import { framesToSee, type OnSite } from './snapshot'
import { runPreview } from './page_scripts'

interface Rights {
  mayAct: (url: URL) => boolean
  /** The host of the grant that allows to act there. */
  siteOf: (url: URL) => string
}

/** Throw ToolFailure, whose message is for the owner. Looking is an act of the owner: it needs no grant. */
export async function sightOfTab(tabId: number, server: string, rights: Rights): Promise<Sight> {
  const signal = AbortSignal.timeout(READ_MS)
  try {
    return await takePreview(tabId, server, rights, signal)
  } catch (failure) {
    throw signal.aborted ? new ToolFailure('timeout', say('share_slow')) : failure
  }
}

async function takePreview(tabId: number, server: string, rights: Rights, signal: AbortSignal): Promise<Sight> {
  const tab = await tabToShow(tabId, server)
  const url = new URL(tab.url ?? '')
  const errand = (await stored.errandTabs.getValue()).find(({ id }) => id === tabId)
  const isOnSite = onSite(url, errand?.site, rights)
  const snapshots: FrameSnapshot[] = []
  let next = errand?.next ?? 1
  for (const frameId of await framesToSee(tabId, isOnSite)) {
    const snapshot = await runPreview({ tabId, frameId, signal }, { next })
    if (!snapshot && frameId === 0) throw new NotReadable()
    if (!snapshot) continue
    if (frameId === 0 && !isSameHost(snapshot.url, url)) throw new ToolFailure('load_failed', say('sight_changed'))
    if (frameId !== 0 && !isOnSite(snapshot.url)) continue
    next = snapshot.next
    snapshots.push(snapshot)
  }
  const page = joinFrames(snapshots)
  if (!page) throw new NotReadable()
  if (page.lines.length === 0) throw new ToolFailure('empty_page', say('sight_empty'))
  const parts = partsOf(page, (errand?.version ?? 0) + 1)
  return { parts: parts.map(({ text }) => text), lines: parts[0]?.lines ?? 0, refs: page.refs }
}

/** Without a grant, it is as if the owner allowed the host of the page. */
function onSite(page: URL, errandSite: string | undefined, { mayAct, siteOf }: Rights): OnSite {
  const isAllowed = mayAct(page)
  const site = errandSite ?? (isAllowed ? siteOf(page) : hostOf(page))
  return (text) => {
    const url = webUrl(text)
    return url !== null && covers(site, hostOf(url)) && (!isAllowed || mayAct(url))
  }
}

function isSameHost(text: string, url: URL): boolean {
  return webUrl(text)?.host === url.host
}
