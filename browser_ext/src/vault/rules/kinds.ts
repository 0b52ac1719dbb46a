// What kind of page it is, by what is written on its controls in many languages. One word says little: a shop links to
// "My orders" on each of its pages. Several of one kind say that the page is a mailbox, an account or a till.
import { entriesIn, fold, Words } from '../../private/words'
import data from './kinds.json'

/** Longer ones are sentences. */
const CONTROL_CHARACTERS = 40
/** A shop and a forum name these on all of their pages. */
const COMMON = 'account'
/** Guides and news are written about the others. */
const OWN = ['mail', 'chat', 'checkout']

const { signed_in: signedIn, ...kinds } = data
const leaving = new Words(signedIn.flatMap(entriesIn))
const concepts = Object.entries(kinds).map(([kind, lists]) => ({
  kind,
  lists: lists.map((lines) => new Words(entriesIn(lines))),
}))

export interface PageKind {
  /** How many things that only one kind of private page has stand on it. */
  signs: number
  /** The same without those that many pages have. */
  rareSigns: number
  /** Of mailboxes, messengers and tills alone. */
  ownSigns: number
  /** It offers to sign out. */
  isSignedIn: boolean
}

export function kindOf(controls: readonly string[], links: readonly string[]): PageKind {
  const short = controls.filter((text) => text.length <= CONTROL_CHARACTERS).map(fold)
  const counts = concepts.map(({ kind, lists }) => ({
    kind,
    count: lists.filter((words) => short.some((text) => words.hasAny(text))).length,
  }))
  const most = (some: typeof counts) => Math.max(0, ...some.map(({ count }) => count))
  return {
    signs: most(counts),
    rareSigns: most(counts.filter(({ kind }) => kind !== COMMON)),
    ownSigns: most(counts.filter(({ kind }) => OWN.includes(kind))),
    isSignedIn: short.some((text) => leaving.hasAny(text)) || links.some((text) => leaving.hasAny(fold(text))),
  }
}
