// Checks of a response before a page exists.
import type { Browser } from 'wxt/browser'
import type { BrowseUrlArguments } from '../protocol.gen'
import { ToolFailure } from './call_context'

type Headers = Browser.webRequest.HttpHeader[]

const READABLE = /^(text\/|application\/(xhtml\+xml|xml))/i
const PDF = /^application\/(x-)?pdf\s*(;|$)/i
/** Types that servers send for files that they do not know. */
const ANYTHING = /^(application\/(octet-stream|download|force-download|x-download)|binary\/octet-stream)?\s*(;|$)/i

/** The tab reached a PDF: no script can run in it, but the file can be fetched. */
export class PdfFound extends ToolFailure {
  /** The session of the tab. */
  session: BrowseUrlArguments['session'] = 'clean'

  constructor(readonly url: string) {
    super('load_failed', 'This is a PDF, of which Penny can only read the text.')
  }
}

/** Throw if a successful response is a file and not a page. */
export function assertReadable(status: number, headers: Headers, url: string): void {
  if (isReadable(status, headers)) return
  const type = valueOf(headers, 'content-type')
  if (isPdf(type, url)) throw new PdfFound(url)
  throw new ToolFailure(
    'load_failed',
    `This is a file (${type.split(';')[0] || 'download'}), which Penny cannot read yet.`,
  )
}

/** Whether a response is a page. A response with an error status counts as one. */
function isReadable(status: number, headers: Headers): boolean {
  if (status < 200 || status >= 300) return true
  const type = valueOf(headers, 'content-type')
  return !isDownload(headers) && (type === '' || READABLE.test(type.trim()))
}

/** Whether browsers download it and keep showing the page before. */
export function isSaved(status: number, headers: Headers, url: string): boolean {
  return !isReadable(status, headers) && (isDownload(headers) || !isPdf(valueOf(headers, 'content-type'), url))
}

function isDownload(headers: Headers): boolean {
  return /^\s*attachment/i.test(valueOf(headers, 'content-disposition'))
}

/** Whether a response looks like a PDF, by its type and address. */
export function isPdf(type: string, url: string): boolean {
  return PDF.test(type.trim()) || (ANYTHING.test(type.trim()) && new URL(url).pathname.toLowerCase().endsWith('.pdf'))
}

export function assertAnswered(status: number): void {
  if (status < 400) return
  if (status === 401) throw new ToolFailure('needs_sign_in', 'The site asked for a sign-in.')
  if (status === 403 || status === 429) throw new ToolFailure('blocked_by_site', 'The site did not let Penny in.')
  throw new ToolFailure('load_failed', `The site answered with error ${status}.`)
}

function valueOf(headers: Headers, name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
}
