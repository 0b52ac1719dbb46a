// Addresses of one video each, in the forms that YouTube gives them. Of other sites only `/watch?v=` counts: `/v/`,
// `/e/` and `/live/` before eleven letters are the addresses of articles there.
import { webUrl } from '../../grants/hosts'

const YOUTUBE = /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$/
const IN_PATH = /^\/(?:shorts|live|embed|v|e)\/([\w-]{11})\/?$/
const SHORT_LINK = /^\/([\w-]{11})\/?$/
/** Lists and channels have addresses of the same form. */
const NO_VIDEO = /^(videoseries|live_stream)$/

/** Whether the address is that of one video's page. */
export function isVideoAddress(address: string): boolean {
  return videoUrl(address) !== null
}

/** Without playlist and time, so that one video has one address. */
export function videoUrl(address: string): URL | null {
  const url = webUrl(address)
  if (!url) return null
  const isShort = /^(?:www\.)?youtu\.be$/.test(url.hostname)
  const isYouTube = isShort || YOUTUBE.test(url.hostname)
  const inWatch = /^\/watch\/?$/.test(url.pathname) ? url.searchParams.get('v') : null
  const id = inWatch || (isYouTube && (isShort ? SHORT_LINK : IN_PATH).exec(url.pathname)?.[1]) || ''
  if (id === '' || NO_VIDEO.test(id)) return null
  const site = isYouTube ? 'https://www.youtube.com' : url.origin
  return new URL(`/watch?v=${encodeURIComponent(id)}`, site)
}
