// One coin shows how Penny is, in the toolbar, in the sidebar and on the tab of the chat page: its colour says whether
// she may read the site in front, a rim in pieces that she works, a half coin that she waits for the owner, a line
// through it that the talk is off the record.
import { say, sayCount } from '../say'

export interface Coin {
  questions: number
  isWorking: boolean
  /** She does something on a page. The coin is that of work; its name says it. */
  isActing?: boolean
  mayRead: boolean
  /** The site whose page in front is or will be kept by itself. */
  keeps?: string | null
  isOffRecord: boolean
}

/** The coin in a square of 64 units. */
export const SHAPE = {
  letter: 'M25 49V22.5h8.6a9.6 9.6 0 0 1 0 19.2H25',
  letterWidth: 5.4,
  radius: 30,
  /** Of a whole coin at rest. */
  ring: { radius: 25.5, width: 1.6 },
  /** While she works: a smaller coin in a rim of eight pieces. */
  small: 22.5,
  rim: { radius: 27.5, width: 7, dash: [13, 8.6] },
  strike: { from: [9, 55], to: [55, 9], width: 6, gap: 14 },
}
export const COLOURS = { copper: '#a84f23', patina: '#2a7a6c', light: '#fff6ef' }

/** What the coin shows, in words. */
export function coinName({ questions, isWorking, isActing, mayRead, keeps, isOffRecord }: Coin): string {
  const facts = [
    questions > 0 ? sayCount('badge', questions) : 'Penny',
    isActing ? say('coin_acting') : isWorking && say('coin_working'),
    mayRead && say('coin_may_read'),
    keeps && say('coin_keeps', keeps),
    isOffRecord && say('coin_off_record'),
  ]
  return facts.filter(Boolean).join(' · ')
}
