import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { forgetKeys, isSignedBy, storeKeys, loadKeys, newKeys, publicBytes, sign } from './identity'

describe('the device key', () => {
  it('signs with raw r and s, under a public key in SPKI', async () => {
    const keys = await newKeys()
    const spki = await publicBytes(keys)
    const signature = await sign(keys, 'hello')
    expect([spki.byteLength, signature.byteLength]).toEqual([91, 64])
    expect(await isSignedBy(spki, signature, 'hello')).toBe(true)
    expect(await isSignedBy(spki, signature, 'hello!')).toBe(false)
    expect(await isSignedBy(new Uint8Array(3), signature, 'hello')).toBe(false)
  })

  it('cannot be taken out of the browser', async () => {
    const { privateKey } = await newKeys()
    expect(privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow()
  })

  it('is kept until it is forgotten', async () => {
    expect(await loadKeys()).toBeNull()
    const keys = await newKeys()
    await storeKeys(keys)
    const loadedKeys = await loadKeys()
    expect(loadedKeys && (await isSignedBy(await publicBytes(keys), await sign(loadedKeys, 'x'), 'x'))).toBe(true)
    await forgetKeys()
    expect(await loadKeys()).toBeNull()
  })
})
