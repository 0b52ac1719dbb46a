import { actOnPage, actOutcome } from './acting/act_on_page'
import { manageTab } from './acting/manage_tab'
import { readTab } from './acting/read_tab'
import { findOnPage, snapshotPage } from './acting/snapshot'
import { browseUrl, READS_TO_KEEP } from './browse_url'
import { getCurrentTab } from './get_current_tab'
import { getHistory } from './get_history'
import { readLinks } from './read_links'
import { mayTakePictures } from './pictures_permission'
import { readMetadata } from './read_metadata'
import { screenshotPage } from './screenshot_page'
import { searchWeb } from './search_web'
import { searchYoutube } from './search_youtube'
import { RUNS_SELECTORS } from './selectors'
import type { Tool, ToolOutcome } from './tool'

const tools = {
  browse_url: browseUrl,
  search_web: searchWeb,
  get_current_tab: getCurrentTab,
  search_youtube: searchYoutube,
  read_metadata: readMetadata,
  read_links: readLinks,
  get_history: getHistory,
  screenshot_page: screenshotPage,
  manage_tab: manageTab,
  snapshot_page: snapshotPage,
  find_on_page: findOnPage,
  act_on_page: actOnPage,
  act_outcome: actOutcome,
  read_tab: readTab,
} satisfies Record<string, Tool<ToolOutcome>>

/** What this browser can do now: pictures of pages only if the owner permitted them. */
export async function toolNames(): Promise<string[]> {
  const takesPictures = await mayTakePictures()
  const names = Object.keys(tools).filter((name) => name !== 'screenshot_page' || takesPictures)
  return [...names, RUNS_SELECTORS, READS_TO_KEEP]
}

export function toolNamed(name: string): Tool<ToolOutcome> | null {
  return Object.hasOwn(tools, name) ? tools[name as keyof typeof tools] : null
}
