import type { Page, SearchResults } from '../protocol.gen'
import { browseUrl } from './browse_url'
import { searchWeb } from './search_web'
import type { Tool } from './tool'

interface Tools {
  browse_url: Tool<Page>
  search_web: Tool<SearchResults>
}

const tools: Tools = {
  browse_url: browseUrl,
  search_web: searchWeb,
}

export const TOOL_NAMES = Object.keys(tools)

export function toolNamed(name: string): Tool<Page | SearchResults> | null {
  return Object.hasOwn(tools, name) ? tools[name as keyof Tools] : null
}
