import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { contextFor, endProcesses, FakeBrowser } from '../fake_browser'
import { manageTab } from './manage_tab'

const OPENING = { errand: 'one', do: 'open', host: 'shop.example', url: 'https://shop.example/', session: 'owner' }

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

it.each([
  ['which shows it', 1, 'https://shop.example/'],
  ['and says so where that fails too', 2, 'load_failed'],
])('loads the page again where the process of the tab ended, %s', async (_, dying, outcome) => {
  vi.useFakeTimers()
  const fake = new FakeBrowser({})
  const loads = endProcesses(fake, dying)
  const context = { ...contextFor('shop.example').context, mayAct: () => true }
  const opening = manageTab(OPENING, context).then(
    ({ url }) => url,
    ({ code }: { code: string }) => code,
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await opening).toBe(outcome)
  vi.useRealTimers()
  expect(loads).toHaveLength(2)
  expect(fake.tabs.size).toBe(outcome === 'load_failed' ? 0 : 1)
})
