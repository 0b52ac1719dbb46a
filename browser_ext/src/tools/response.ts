// What the answer of a site says about the page before there is one.
import type { Browser } from 'wxt/browser'
import { ToolFailure } from './tool'

type Headers = Browser.webRequest.HttpHeader[]

const READABLE = /^(text\/|application\/(xhtml\+xml|xml))/i

/** Throws when a successful answer is no page but a file. */
export function assertReadable(status: number, headers: Headers): void {
  if (isReadable(status, headers)) return
  const type = valueOf(headers, 'content-type')
  throw new ToolFailure('load_failed', `This is a file (${type.split(';')[0] || 'download'}), which Penny cannot read yet.`)
}

/** Whether an answer is no file; one that is not successful is a page at most. */
export function isReadable(status: number, headers: Headers): boolean {
  if (status < 200 || status >= 300) return true
  const type = valueOf(headers, 'content-type')
  const isDownload = /^\s*attachment/i.test(valueOf(headers, 'content-disposition'))
  return !isDownload && (type === '' || READABLE.test(type.trim()))
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
