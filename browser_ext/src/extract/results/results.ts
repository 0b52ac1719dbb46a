// Results on the page of any search engine: links to other hosts that repeat one structure.
import type { SearchResult } from '../../protocol.gen'
import { urlToTell } from '../../grants/hosts'
import { oneLine } from '../plain_text'
import { visibleDocument } from '../visibility/visible_copy'
import { inSlices } from '../slices'
import { textOf } from '../blocks/text_of'
import { leadsAway, type Lead } from './result_links'
import { pageVerdict, type Verdict } from './page_verdict'

export interface SearchExtraction {
  url: string
  results: SearchResult[]
  /** What a page without results is. */
  verdict?: Verdict
}

interface Candidate extends Lead {
  anchor: Element
  title: string
  hasHeading: boolean
}

interface Found {
  results: SearchResult[]
  /** Whether the results repeat one structure, as an engine's results do. One link on a page does not. */
  isList: boolean
}

const MOST_RESULTS = 10
const TITLE_CHARACTERS = 200
const SNIPPET_CHARACTERS = 400
const LEAST_TITLE = 8
const LEAST_SNIPPET = 20
const CONTAINER_CHARACTERS = 1_500
const ANCHORS_MOST = 2_000
const CANDIDATES_MOST = 400
/** More than results, since advertisements are left out. */
const READ_MOST = 50
const CONTAINER_LEVELS = 12
/** Rows below the row of a title, in results that are rows of a table. */
const ROWS_MOST = 3
const STRUCTURE_LEVELS = 3
const HEADING = 'h1, h2, h3, h4, [role="heading"]'
/** In the visible copy, `is` names a former custom element. */
const TITLE_WITHIN = '.title, .result-title, [class*="snippet-title"]'
const OUTSIDE_CONTENT =
  'nav, header, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="complementary"]'
const ADVERTISEMENT =
  /^(ad|ads|advert|advertisement|sponsored|promoted|anzeige|gesponsert|annonce|sponsorisé|anuncio|patrocinado|reklama)\b[\s·:.]*/i
const ADVERTISEMENT_PART = '.result--ad, .b_ad, .b_adLastChild, #tads, #tadsb, #bottomads'

export async function extractResults(page: Document): Promise<SearchExtraction> {
  const visible = await inSlices(visibleDocument(page))
  return searchedPage(visible, page)
}

/** `visible` holds only visible elements. A wall may hold a link or two of its own, which are no results. */
export function searchedPage(visible: Document, page: Document): SearchExtraction {
  const { results, isList } = foundIn(visible, page.URL)
  if (isList) return { url: page.URL, results }
  const verdict = pageVerdict(visible, page)
  return results.length > 0 && verdict === 'unreadable'
    ? { url: page.URL, results }
    : { url: page.URL, results: [], verdict }
}

function foundIn(visible: Document, url: string): Found {
  const all = firstOfEach(candidates(visible, url))
  const headed = all.filter((candidate) => candidate.hasHeading)
  const repeated = largestGroup(all.filter((candidate) => !candidate.hasHeading))
  const isPlain = repeated.length > Math.max(headed.length, 1)
  const listing = isPlain ? repeated : headed.length > 0 ? headed : all
  const anchors = listing.map((candidate) => candidate.anchor)
  const results = listing.slice(0, READ_MOST).flatMap((candidate) => resultOf(candidate, anchors))
  return { results: results.slice(0, MOST_RESULTS), isList: results.length > 1 && (isPlain || headed.length > 1) }
}

function candidates(visible: Document, url: string): Candidate[] {
  const anchors = [...visible.querySelectorAll('a[href]')].slice(0, ANCHORS_MOST)
  return anchors
    .flatMap((anchor) => {
      const lead = leadsAway(anchor.getAttribute('href'), url)
      const heading = anchor.querySelector(HEADING) ?? anchor.closest(HEADING)
      const words = heading ?? anchor.querySelector(TITLE_WITHIN) ?? anchor
      const title = oneLine(words.textContent ?? '').slice(0, TITLE_CHARACTERS)
      if (!lead || title.length < (heading ? 1 : LEAST_TITLE)) return []
      if ((lead.isOwnSite && !heading) || anchor.closest(`${OUTSIDE_CONTENT}, ${ADVERTISEMENT_PART}`)) return []
      return [{ anchor, title, hasHeading: heading !== null, ...lead }]
    })
    .slice(0, CANDIDATES_MOST)
}

/** Return the links that most often stand in the same structure. */
function largestGroup(all: Candidate[]): Candidate[] {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of all) {
    const structure = structureOf(candidate.anchor)
    groups.set(structure, [...(groups.get(structure) ?? []), candidate])
  }
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), [])
}

function structureOf(anchor: Element): string {
  const parts: string[] = []
  let element: Element | null = anchor
  for (let level = 0; element && level < STRUCTURE_LEVELS; level++, element = element.parentElement) {
    parts.push(`${element.tagName}.${element.classList[0] ?? ''}`)
  }
  return parts.join(' ')
}

function firstOfEach(all: Candidate[]): Candidate[] {
  const addresses = new Set<string>()
  return all.filter(({ url }) => {
    const address = url.split('#')[0] ?? url
    return !addresses.has(address) && addresses.add(address)
  })
}

function resultOf({ anchor, title, url, hasHeading, isOwnSite }: Candidate, anchors: Element[]): SearchResult[] {
  const lines = containersOf(anchor, anchors)
    .flatMap((container) => textOf(container).split('\n'))
    .map(oneLine)
    .filter(Boolean)
  if (lines.some((line) => ADVERTISEMENT.test(line) && line.length < 25)) return []
  const snippet = lines.filter((line) => !line.includes(title) && !isAddress(line)).join(' ')
  if ((isOwnSite || !hasHeading) && snippet.length < (isOwnSite ? LEAST_SNIPPET : 1)) return []
  return [{ title, url: urlToTell(new URL(url)), snippet: snippet.slice(0, SNIPPET_CHARACTERS) }]
}

/**
 * The largest element around the link without another result, and not half of the page if there is only one. Of a row
 * of a table also the rows below it.
 */
function containersOf(anchor: Element, anchors: Element[]): Element[] {
  const holdsOther = (holder: Element) => anchors.some((other) => other !== anchor && holder.contains(other))
  let container = anchor
  for (let level = 0; level < CONTAINER_LEVELS; level++) {
    const parent = container.parentElement
    if (!parent || parent.tagName === 'BODY' || holdsOther(parent)) break
    if ((parent.textContent ?? '').length > CONTAINER_CHARACTERS) break
    container = parent
  }
  const containers = [container]
  let row = container.tagName === 'TR' ? container.nextElementSibling : null
  for (; row && containers.length <= ROWS_MOST && !holdsOther(row); row = row.nextElementSibling) containers.push(row)
  return containers
}

/** The line of a result that shows its address. */
function isAddress(line: string): boolean {
  return /^(https?:\/\/)?[\w-]+(\.[\w-]+)+(\s*[›/].*)?$/.test(line)
}
