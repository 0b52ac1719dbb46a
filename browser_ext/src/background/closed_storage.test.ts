import { expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { closeStorage } from './closed_storage'

it('lets only the pages of the extension see what is kept', async () => {
  const setAccessLevel = vi.fn(async () => undefined)
  Object.assign(fakeBrowser.storage.local, { setAccessLevel })
  await closeStorage()
  expect(setAccessLevel).toHaveBeenCalledWith({ accessLevel: 'TRUSTED_CONTEXTS' })
})
