// @vitest-environment page
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { stored } from '../state/stored'
import { wearTheme } from './theme'

const currentTheme = () => document.documentElement.dataset.theme

beforeEach(() => fakeBrowser.reset())

it('is the system’s at first, and follows what is chosen, wherever, until that is forgotten', async () => {
  await wearTheme()
  expect(currentTheme()).toBe('system')
  await stored.theme.setValue('dark')
  await vi.waitFor(() => expect(currentTheme()).toBe('dark'))
  await stored.theme.setValue('light')
  await vi.waitFor(() => expect(currentTheme()).toBe('light'))
  await stored.theme.removeValue()
  await vi.waitFor(() => expect(currentTheme()).toBe('system'))
})
