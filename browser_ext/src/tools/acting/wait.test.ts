import { afterEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { ToolContext } from '../../page_tabs/call_context'
import { waitFor } from './wait'

const CONTEXT = { signal: new AbortController().signal } as ToolContext
const wait = () =>
  waitFor(
    { do: 'wait', until: 'path', value: '/moved', ms: 50 },
    { tabId: 1, frameId: 0, signal: CONTEXT.signal },
    1,
    CONTEXT,
  )

function standAt(path: string, status: string): void {
  vi.spyOn(fakeBrowser.tabs, 'get').mockResolvedValue({ url: `https://shop.example${path}`, status } as never)
}

afterEach(() => vi.restoreAllMocks())

it.each(['complete', 'loading'])('a page of the path is there when the wait is over: %s', async (status) => {
  standAt('/moved/1', status)
  await expect(wait()).resolves.toBeUndefined()
})

it('another page is not', async () => {
  standAt('/start', 'complete')
  await expect(wait()).rejects.toThrow('did not go there in time')
})
