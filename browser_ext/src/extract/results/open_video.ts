// Opens the parts of a video page that appear only on demand: whole description, transcript, comments. Each is awaited
// for a few seconds. A part that does not appear is left out.
import { isVideoAddress } from './video_address'

const OPENERS = [
  'tp-yt-paper-button#expand, #description #expand',
  'ytd-video-description-transcript-section-renderer button, button[aria-label="Show transcript" i]',
]
const COMMENTS = 'ytd-comments, #comments'
const AWAITED = ['ytd-transcript-segment-renderer, transcript-segment-view-model', 'ytd-comment-thread-renderer']
const WAIT_MS = 4_000
const POLL_MS = 100

/** Resolves when everything is there, or after some seconds. Does nothing on any other page. */
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
