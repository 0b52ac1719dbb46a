import { describe, expect, it } from 'vitest'
import { assertAnswered, assertReadable, isSaved, PdfFound } from './response'

const URL = 'https://example.com/a'
const headers = (type: string, disposition?: string) => [
  { name: 'Content-Type', value: type },
  ...(disposition ? [{ name: 'content-disposition', value: disposition }] : []),
]

describe('the answer of a site', () => {
  it.each(['text/html; charset=utf-8', 'TEXT/PLAIN', 'application/xhtml+xml', ''])('of type %s is a page', (type) => {
    expect(() => assertReadable(200, headers(type), URL)).not.toThrow()
  })

  it('is a file by its type, or because it says so', () => {
    expect(() => assertReadable(200, headers('application/zip'), URL)).toThrow('This is a file (application/zip)')
    expect(() => assertReadable(200, headers('text/html', 'attachment; filename=a.html'), URL)).toThrow('file')
  })

  it.each([
    ['application/pdf;charset=utf-8', URL, true],
    ['application/x-pdf', URL, true],
    ['application/octet-stream', 'https://example.com/Paper.PDF?x=1', true],
    ['', 'https://example.com/paper.pdf?x=1', true],
    ['application/octet-stream', URL, false],
    ['application/zip', 'https://example.com/paper.pdf', false],
    ['application/pdfish', URL, false],
  ])('of type %s from %s, to be saved, is a PDF: %s', (type, url, is) => {
    const check = () => assertReadable(200, headers(type, 'attachment'), url)
    expect(check).toThrow(is ? PdfFound : 'file')
  })

  it('is saved beside what is shown, unless it is a PDF that the browser shows', () => {
    expect(isSaved(200, headers('application/zip'), URL)).toBe(true)
    expect(isSaved(200, headers('application/pdf', 'attachment'), URL)).toBe(true)
    expect([isSaved(200, headers('application/pdf'), URL), isSaved(200, headers('text/html'), URL)]).toEqual([
      false,
      false,
    ])
  })

  it('is not looked at so while it redirects or fails', () => {
    expect(() => assertReadable(302, headers('application/octet-stream'), URL)).not.toThrow()
    expect(() => assertReadable(404, headers('application/json'), URL)).not.toThrow()
  })

  it.each([
    [401, 'needs_sign_in'],
    [403, 'blocked_by_site'],
    [429, 'blocked_by_site'],
    [404, 'load_failed'],
    [503, 'load_failed'],
  ])('with status %i is %s, not content', (status, code) => {
    expect(() => assertAnswered(status)).toThrow(expect.objectContaining({ code }))
  })

  it('with status 200, or from a cache, is content', () => {
    for (const status of [0, 200, 304]) expect(() => assertAnswered(status)).not.toThrow()
  })
})
