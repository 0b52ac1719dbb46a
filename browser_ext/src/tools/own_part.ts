// What Penny herself puts on a page is in no picture of it.
import { browser } from 'wxt/browser'
import { OWN_PLACE } from '../extract/shadow_roots'

/** Resolves once the page is drawn without it. */
export async function hideOwnPart(tabId: number): Promise<void> {
  await inTab(tabId, 'hidden')
}

/** False: it was put there anew meanwhile, so that a picture may show it. */
export async function showOwnPart(tabId: number): Promise<boolean> {
  return (await inTab(tabId, 'visible')) !== 'visible'
}

/** Return how it was before. */
async function inTab(tabId: number, visibility: string): Promise<unknown> {
  const args: Parameters<typeof setVisibility> = [OWN_PLACE, visibility]
  const [frame] = await browser.scripting.executeScript({ target: { tabId }, func: setVisibility, args })
  return frame?.result
}

/** Runs in the page. */
async function setVisibility(place: string, visibility: string): Promise<string> {
  const parts = (Reflect.get(globalThis, place) as { host: HTMLElement }[] | undefined) ?? []
  if (parts.length === 0) return 'none'
  const isAnyVisible = parts.some(({ host }) => (host.style.visibility || 'visible') === 'visible')
  const before = isAnyVisible ? 'visible' : 'hidden'
  for (const { host } of parts) host.style.setProperty('visibility', visibility, 'important')
  if (visibility === 'hidden')
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve))
      setTimeout(resolve, 500) // a page that is not drawn
    })
  return before
}
