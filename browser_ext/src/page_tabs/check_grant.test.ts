import { describe, expect, it } from 'vitest'
import { assertStillGranted, grantedUrl } from './check_grant'

const permits = (url: URL) => url.hostname === 'example.com'
const failure = (work: () => unknown) => {
  try {
    return work()
  } catch (reason) {
    return reason
  }
}

describe('before a page is opened', () => {
  it('its host needs a grant', () => {
    expect(grantedUrl('https://example.com/a', { permits })).toEqual(new URL('https://example.com/a'))
    expect(failure(() => grantedUrl('https://other.example/', { permits }))).toMatchObject({ code: 'not_granted' })
  })

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://me:x@example.com/', 'nonsense'])(
    '%s is no address',
    (text) => {
      expect(failure(() => grantedUrl(text, { permits }))).toMatchObject({ code: 'bad_url' })
    },
  )
})

describe('wherever the page turns out to be', () => {
  it('names the host without a grant, and nothing else', () => {
    const at = (text: string) => failure(() => assertStillGranted(text, permits))
    expect(at('https://example.com/')).toBeUndefined()
    expect(at('https://bücher.example:8443/secret?a=b')).toMatchObject({
      code: 'redirect_not_granted',
      message: 'xn--bcher-kva.example',
    })
    expect(at('http://127.0.0.1:9000/')).toMatchObject({ code: 'redirect_not_granted', message: '127.0.0.1:9000' })
  })

  it('is no web page at all', () => {
    expect(failure(() => assertStillGranted('chrome://settings', permits))).toMatchObject({ code: 'load_failed' })
  })
})
