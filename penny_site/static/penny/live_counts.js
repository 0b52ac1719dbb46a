// The counts of the header, as the server pushes them: new finds, open questions, connected browsers, runs under way.
import { BASE } from './base.js'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/** @typedef {{ finds: number, questions: number, browsers: number, running: number }} Counts */
/** @typedef {{ is_stopped: boolean }} Stop */
/**
 * What the server sends over `/ws/feed`.
 * @typedef {{ type: 'counts.changed' } & Counts
 *   | { type: 'stop.changed' } & Stop
 *   | { type: 'looking.changed' }} FeedFrame
 */

/** @param {Counts} counts */
export function showCounts({ finds, questions, browsers, running }) {
  const unread = document.querySelector('#unread [data-unread]')
  if (unread && Number(unread.dataset.unread) !== finds) showFinds(unread, finds)
  const link = document.querySelector('[data-questions]')
  const number = link?.querySelector('b')
  if (link && number && Number(number.textContent) !== questions) {
    link.hidden = questions === 0
    number.textContent = String(questions)
    document.dispatchEvent(new Event('looking')) // the feed shows them too
  }
  const works = document.querySelector('[data-running]')
  if (works && works.hidden !== (running === 0)) {
    works.hidden = running === 0
    const coin = works.parentElement?.querySelector('img')
    if (coin) coin.src = coin.src.replace(/penny(-working)?\.svg/, running ? 'penny-working.svg' : 'penny.svg')
  }
  const chip = document.querySelector('[data-browsers]')
  if (!chip) return
  chip.classList.toggle('ok', browsers > 0)
  chip.classList.toggle('warn', browsers === 0)
  const [dot, words] = [chip.querySelector('.dot'), chip.querySelector('.words')]
  if (dot) dot.textContent = browsers > 0 ? '●' : '○'
  if (words) words.textContent = browsers === 0 ? 'no browser' : browsers === 1 ? '1 browser' : `${browsers} browsers`
}

/** @param {Stop} frame */
export function showStop({ is_stopped }) {
  const banner = document.querySelector('[data-stopped]')
  if (banner) banner.hidden = !is_stopped
}

/**
 * The feed asks for the cards that are new; the chat page has no htmx and needs the number alone.
 * @param {HTMLElement} unread
 * @param {number} finds
 */
function showFinds(unread, finds) {
  if ('htmx' in globalThis) htmx.trigger('#unread', 'look')
  else unread.dataset.unread = unread.textContent = String(finds)
}

/** A lost announcement costs the feed one poll at most. On the chat page, its own socket brings the counts. */
export function listenForCounts(wait = FIRST_WAIT_MS) {
  const url = new URL(`${BASE}/ws/feed`, location.href)
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  let nextWait = Math.min(LONGEST_WAIT_MS, 2 * wait)
  socket.addEventListener('open', () => (nextWait = FIRST_WAIT_MS))
  socket.addEventListener('message', ({ data }) => {
    const frame = /** @type {FeedFrame} */ (JSON.parse(String(data)))
    if (frame.type === 'counts.changed') showCounts(frame)
    if (frame.type === 'stop.changed') showStop(frame)
    if (frame.type === 'looking.changed') document.dispatchEvent(new Event('looking'))
  })
  socket.addEventListener('close', () => {
    setTimeout(listenForCounts, wait, nextWait)
  })
}
