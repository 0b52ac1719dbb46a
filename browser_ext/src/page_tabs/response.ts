// What the answer of a site says about the page before there is one.
import type { Browser } from 'wxt/browser'
import { ToolFailure } from './call_context'

type Headers = Browser.webRequest.HttpHeader[]

const READABLE = /^(text\/|application\/(xhtml\+xml|xml))/i
const PDF = /^application\/(x-)?pdf\s*(;|$)/i
/** What sites say that do not know what they have. */
const ANYTHING = /^(application\/(octet-stream|download|force-download|x-download)|binary\/octet-stream)?\s*(;|$)/i

/** The tab came upon a PDF: no script of ours can look into that, but it can be asked for and read. */
export class PdfFound extends ToolFailure {
  constructor(readonly url: string) {
    super('load_failed', 'This is a PDF, of which Penny can only read the text.')
  }
}

/** Throws when a successful answer is no page but a file. */
export function assertReadable(status: number, headers: Headers, url: string): void {
  if (isReadable(status, headers)) return
  const type = valueOf(headers, 'content-type')
  if (isPdf(type, url)) throw new PdfFound(url)
  throw new ToolFailure('load_failed', `This is a file (${type.split(';')[0] || 'download'}), which Penny cannot read yet.`)
}

/** Whether an answer is no file; one that is not successful is a page at most. */
function isReadable(status: number, headers: Headers): boolean {
  if (status < 200 || status >= 300) return true
  const type = valueOf(headers, 'content-type')
  return !isDownload(headers) && (type === '' || READABLE.test(type.trim()))
}

/** Whether browsers save it, and go on showing what they showed. */
export function isSaved(status: number, headers: Headers, url: string): boolean {
  return !isReadable(status, headers) && (isDownload(headers) || !isPdf(valueOf(headers, 'content-type'), url))
}

function isDownload(headers: Headers): boolean {
  return /^\s*attachment/i.test(valueOf(headers, 'content-disposition'))
}

/** Whether an answer of this type, from this address, is a PDF as far as can be said before it is read. */
export function isPdf(type: string, url: string): boolean {
  return PDF.test(type.trim()) || (ANYTHING.test(type.trim()) && new URL(url).pathname.toLowerCase().endsWith('.pdf'))
}

/** Throws when the site answered with an error. */
export function assertAnswered(status: number): void {
  if (status < 400) return
  if (status === 401) throw new ToolFailure('needs_sign_in', 'The site asked for a sign-in.')
  if (status === 403 || status === 429) throw new ToolFailure('blocked_by_site', 'The site did not let Penny in.')
  throw new ToolFailure('load_failed', `The site answered with error ${status}.`)
}

function valueOf(headers: Headers, name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
}
