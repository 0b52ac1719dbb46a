// The extractors, by their task.
import { fieldsOf } from './fields'
import { extractToKeep } from './kept'
import { metadataOf } from './metadata/metadata'
import { extractPage } from './page'
import { pageLinks } from './page_links'
import { extractResults } from './results/results'
import { extractVideos } from './results/videos'
import { screenOf } from './screen'
import { takeArguments } from './script_arguments'
import type { Task } from './task'

const TASKS: Record<Task, (page: Document) => unknown> = {
  page: extractPage,
  kept: extractToKeep,
  results: extractResults,
  fields: (page) => fieldsOf(page, takeArguments()),
  metadata: (page) => ({ url: page.URL, metadata: metadataOf(page) ?? {} }),
  links: pageLinks,
  screen: screenOf,
  videos: extractVideos,
}

export function extract(task: Task, page: Document): unknown {
  return TASKS[task](page)
}
