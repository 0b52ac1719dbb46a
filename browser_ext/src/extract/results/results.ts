// Results on the page of any search engine: visible headings that lead to other sites.
import type { SearchResult } from '../../protocol.gen'
import { urlToTell, webUrl } from '../../grants/hosts'
import { absoluteUrl } from '../links'
import { oneLine } from '../plain_text'
import { visibleDocument } from '../visibility/visible_copy'
import { inSlices } from '../slices'
import { textOf } from '../blocks/text_of'

export interface SearchExtraction {
  url: string
  results: SearchResult[]
}

interface Candidate {
  anchor: Element
  title: string
  url: string
  hasHeading: boolean
}

const MOST_RESULTS = 10
const TITLE_CHARACTERS = 200
const SNIPPET_CHARACTERS = 400
const LEAST_TITLE = 8
const CONTAINER_CHARACTERS = 1_500
const HEADING = 'h1, h2, h3, h4, [role="heading"]'
const OUTSIDE_CONTENT =
  'nav, header, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="complementary"]'
const ADVERTISEMENT =
  /^(ad|ads|advert|advertisement|sponsored|promoted|anzeige|gesponsert|annonce|sponsorisé|anuncio|patrocinado|reklama)\b[\s·:.]*/i

export async function extractResults(page: Document): Promise<SearchExtraction> {
  return { url: page.URL, results: resultsIn(await inSlices(visibleDocument(page)), page.URL) }
}

/** `visible` holds only visible elements. */
export function resultsIn(visible: Document, url: string): SearchResult[] {
  const all = candidates(visible, url)
  const withHeading = all.filter((candidate) => candidate.hasHeading)
  const results = firstOfEach(withHeading.length >= 2 ? withHeading : all)
  const anchors = results.map((candidate) => candidate.anchor)
  return results.flatMap((candidate) => resultOf(candidate, anchors)).slice(0, MOST_RESULTS)
}

function candidates(visible: Document, url: string): Candidate[] {
  return [...visible.querySelectorAll('a[href]')].flatMap((anchor) => {
    const target = leadsAway(anchor.getAttribute('href'), url)
    const heading = anchor.querySelector(HEADING) ?? anchor.closest(HEADING)
    const title = oneLine((heading ?? anchor).textContent ?? '').slice(0, TITLE_CHARACTERS)
    if (!target || title.length < (heading ? 1 : LEAST_TITLE) || anchor.closest(OUTSIDE_CONTENT)) return []
    return [{ anchor, title, url: target, hasHeading: heading !== null }]
  })
}

/** Return the target of a link outside of the engine's own site. Engines wrap links in redirects of their own. */
export function leadsAway(href: string | null, base: string): string | null {
  const absolute = absoluteUrl(href, base)
  if (!absolute) return null
  const target = isSameSite(absolute, base) ? targetOfRedirect(absolute) : absolute
  return target && !isSameSite(target, base) ? target : null
}

function targetOfRedirect(link: string): string | null {
  const values: string[] = []
  new URL(link).searchParams.forEach((value) => values.push(value)) // Firefox's content scripts cannot iterate over it
  const target = values.map((value) => (/^https?:\/\//i.test(value) ? webUrl(value) : null)).find((url) => url !== null)
  return target ? absoluteUrl(target.href, target.href) : null
}

/** The same host, or hosts that seem to share a registrable domain. Without a list of suffixes that is close enough. */
function isSameSite(a: string, b: string): boolean {
  const [first, second] = [new URL(a), new URL(b)]
  if (/^[\d.]+$|^\[/.test(first.hostname) || !first.hostname.includes('.')) return first.host === second.host
  return site(first.hostname) === site(second.hostname)
}

function site(host: string): string {
  const isCountrySuffix = /\.(com?|org?|net|gov|edu|ac|ne|gob|go)\.[a-z]{2}$/.test(host)
  return host
    .split('.')
    .slice(isCountrySuffix ? -3 : -2)
    .join('.')
}

function firstOfEach(all: Candidate[]): Candidate[] {
  const addresses = new Set<string>()
  return all.filter(({ url }) => !addresses.has(url) && addresses.add(url))
}

function resultOf({ anchor, title, url }: Candidate, anchors: Element[]): SearchResult[] {
  const lines = textOf(containerOf(anchor, anchors)).split('\n').map(oneLine).filter(Boolean)
  if (lines.some((line) => ADVERTISEMENT.test(line) && line.length < 25)) return []
  const snippet = lines.filter((line) => !line.includes(title) && !isAddress(line)).join(' ')
  return [{ title, url: urlToTell(new URL(url)), snippet: snippet.slice(0, SNIPPET_CHARACTERS) }]
}

/** The largest element around the link without another result, and not half of the page if there is only one. */
function containerOf(anchor: Element, anchors: Element[]): Element {
  let container = anchor
  for (let parent = anchor.parentElement; parent && parent.tagName !== 'BODY'; parent = parent.parentElement) {
    const holder = parent
    if (anchors.some((other) => other !== anchor && holder.contains(other))) break
    if ((holder.textContent ?? '').length > CONTAINER_CHARACTERS) break
    container = holder
  }
  return container
}

/** The line of a result that shows its address. */
function isAddress(line: string): boolean {
  return /^(https?:\/\/)?[\w-]+(\.[\w-]+)+(\s*[›/].*)?$/.test(line)
}
