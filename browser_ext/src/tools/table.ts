import type { CurrentTab, Page, SearchResults } from '../protocol.gen'
import { browseUrl } from './browse_url'
import { getCurrentTab } from './get_current_tab'
import { searchWeb } from './search_web'
import type { Tool } from './tool'

interface Tools {
  browse_url: Tool<Page>
  search_web: Tool<SearchResults>
  get_current_tab: Tool<CurrentTab>
}

const tools: Tools = {
  browse_url: browseUrl,
  search_web: searchWeb,
  get_current_tab: getCurrentTab,
}

export const TOOL_NAMES = Object.keys(tools)

export function toolNamed(name: string): Tool<Page | SearchResults | CurrentTab> | null {
  return Object.hasOwn(tools, name) ? tools[name as keyof Tools] : null
}
