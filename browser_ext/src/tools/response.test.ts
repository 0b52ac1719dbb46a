import { describe, expect, it } from 'vitest'
import { assertAnswered, assertReadable } from './response'

const headers = (type: string, disposition?: string) => [
  { name: 'Content-Type', value: type },
  ...(disposition ? [{ name: 'content-disposition', value: disposition }] : []),
]

describe('the answer of a site', () => {
  it.each(['text/html; charset=utf-8', 'TEXT/PLAIN', 'application/xhtml+xml', ''])('of type %s is a page', (type) => {
    expect(() => assertReadable(200, headers(type))).not.toThrow()
  })

  it('is a file by its type, or because it says so', () => {
    expect(() => assertReadable(200, headers('application/pdf'))).toThrow('This is a file (application/pdf)')
    expect(() => assertReadable(200, headers('text/html', 'attachment; filename=a.html'))).toThrow('file')
  })

  it('is not looked at so while it redirects or fails', () => {
    expect(() => assertReadable(302, headers('application/octet-stream'))).not.toThrow()
    expect(() => assertReadable(404, headers('application/json'))).not.toThrow()
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
