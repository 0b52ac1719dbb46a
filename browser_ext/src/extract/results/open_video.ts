// In a tab of our own: what a page of a video shows only when it is asked for, its whole description, its transcript and its comments, is
// asked for and waited for a little. What does not come is left out.
import { isVideoAddress } from './videos'

const OPENERS = [
  'tp-yt-paper-button#expand, #description #expand',
  'ytd-video-description-transcript-section-renderer button, button[aria-label="Show transcript" i]',
]
const COMMENTS = 'ytd-comments, #comments'
const AWAITED = ['ytd-transcript-segment-renderer, transcript-segment-view-model', 'ytd-comment-thread-renderer']
const WAIT_MS = 4_000
const POLL_MS = 100

/** Resolves when all of it is there, or after some seconds. On any other page nothing is done. */
export async function openVideo(page: Document): Promise<true> {
  if (!isVideoAddress(page.URL)) return true
  const openers = OPENERS.map((selector) => page.querySelector<HTMLElement>(selector))
  openers.forEach((button) => button?.click())
  page.querySelector(COMMENTS)?.scrollIntoView({ behavior: 'instant' })
  const hasComments = page.querySelector(COMMENTS) !== null
  const awaitedSelectors = AWAITED.filter((_, place) => (place === 0 ? openers[1] : hasComments))
  const ends = Date.now() + WAIT_MS
  while (Date.now() < ends && awaitedSelectors.some((selector) => !page.querySelector(selector))) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}
