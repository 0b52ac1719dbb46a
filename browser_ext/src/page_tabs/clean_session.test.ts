import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { stored } from '../state/stored'
import { newContainer, removeContainer } from './clean_session'

const identities = vi.hoisted(() => ({ create: vi.fn(), remove: vi.fn() }))
vi.mock('../firefox', () => ({ firefox: { contextualIdentities: identities } }))

beforeEach(() => {
  fakeBrowser.reset()
  vi.stubEnv('FIREFOX', true as never)
  identities.create.mockResolvedValue({ cookieStoreId: 'container-7' })
  identities.remove.mockResolvedValue(undefined)
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('a clean session', () => {
  it('is a container that is remembered until it is removed', async () => {
    expect(await newContainer()).toBe('container-7')
    expect(await stored.containers.getValue()).toEqual(['container-7'])
    await removeContainer('container-7')
    expect(await stored.containers.getValue()).toEqual([])
  })

  it("is never the owner's own: without container tabs there is none", async () => {
    identities.create.mockRejectedValue(new Error('Contextual identities are currently disabled'))
    await expect(newContainer()).rejects.toMatchObject({ code: 'no_clean_session' })
    expect(await stored.containers.getValue()).toEqual([])
  })
})
