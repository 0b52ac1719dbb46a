// Answers what a page asks by alert, confirm and prompt while Penny acts: nobody is there to answer, and the page would
// stand still. These functions belong to the page, so that ours run among its scripts, and trust nothing that they see.
// The answer is no. Where the same act is made again, its owner is asked, and a yes is for exactly these words.
import { browser } from 'wxt/browser'
import type { ActOnPageArguments, PageDialog } from '../../protocol.gen'

const TEXT_CHARACTERS = 300
const KINDS = ['alert', 'confirm', 'prompt'] as const
/** Within this time the same act is for the same question. */
const AGAIN_MS = 45_000
const REFUSED_MOST = 20
/** As long as a yes counts. */
const ASKED_MS = 10 * 60_000

type Action = ActOnPageArguments['action']

interface RefusedDialog {
  text: string
  action: string
  endsAt: number
}

/** By tab, and by the digest of the question to the owner. After the death of the background, the answer is no. */
const refusals = new Map<string, RefusedDialog>()
const questions = new Map<string, RefusedDialog>()

/** Remember a question that was answered no. What is too long to be shown is never asked about. */
export function noteRefusal(tab: string, action: Action, { kind, text, is_accepted: isAccepted }: PageDialog): void {
  refusals.delete(tab)
  if (kind !== 'confirm' || isAccepted || text === '' || text.length >= TEXT_CHARACTERS) return
  keep(refusals, tab, { text, action: JSON.stringify(action), endsAt: Date.now() + AGAIN_MS })
}

/** Remember what the owner is asked about. */
export function noteAsked(digest: string, text: string, action: Action): void {
  keep(questions, digest, { text, action: JSON.stringify(action), endsAt: Date.now() + ASKED_MS })
}

/** Return the words of the question that this act is about to be asked again, or was just approved for. */
export function dialogOfAct(tab: string, action: Action, approved?: string | null): string | null {
  const dialog = approved ? questions.get(approved) : refusals.get(tab)
  if (approved) questions.delete(approved)
  refusals.delete(tab)
  return dialog && dialog.action === JSON.stringify(action) && Date.now() < dialog.endsAt ? dialog.text : null
}

function keep(map: Map<string, RefusedDialog>, key: string, dialog: RefusedDialog): void {
  map.delete(key)
  map.set(key, dialog)
  for (const oldest of map.keys()) {
    if (map.size <= REFUSED_MOST) return
    map.delete(oldest)
  }
}

/** `place`: a name that the page cannot know before. `accepts`: the words that the owner said yes to. */
export async function guardDialogs(
  tabId: number,
  frameId: number,
  place: string,
  accepts: string | null,
): Promise<void> {
  await inPage(tabId, frameId, guard, [place, accepts])
}

/** Return what the page asked, and give it its own functions back. */
export async function takeDialog(tabId: number, frameId: number, place: string): Promise<PageDialog | null> {
  const [frame] = await inPage(tabId, frameId, unguard, [place])
  const dialog: unknown = frame?.result
  if (typeof dialog !== 'object' || dialog === null) return null
  const { kind, text, isAccepted } = dialog as { kind?: unknown; text?: unknown; isAccepted?: unknown }
  const own = KINDS.find((one) => one === kind)
  if (!own || typeof text !== 'string') return null
  return { kind: own, text: text.slice(0, TEXT_CHARACTERS), is_accepted: isAccepted === true }
}

function inPage<Args extends [string, ...unknown[]]>(
  tabId: number,
  frameId: number,
  func: (...args: Args) => unknown,
  args: Args,
): Promise<{ result?: unknown }[]> {
  const target = { tabId, frameIds: [frameId] }
  const running = browser.scripting.executeScript({ target, world: 'MAIN', injectImmediately: true, func, args })
  return running.catch(() => []) // between two documents
}

/** Runs in the page. */
function guard(place: string, accepts: string | null): void {
  if (Reflect.has(window, place)) return
  const names = ['alert', 'confirm', 'prompt'] as const
  const state = { first: null as null | { kind: string; text: string; isAccepted: boolean } }
  for (const name of names) Object.assign(state, { [name]: Reflect.get(window, name) })
  Object.defineProperty(window, place, { value: state, configurable: true })
  let isOpen = accepts !== null
  const note = (kind: string, text: unknown): boolean => {
    const words = (typeof text === 'string' ? text : JSON.stringify(text ?? '')).slice(0, 300)
    const isAccepted = isOpen && kind === 'confirm' && words === accepts
    if (isAccepted) isOpen = false // a yes is for one time
    if (!state.first || isAccepted) state.first = { kind, text: words, isAccepted }
    return isAccepted
  }
  window.alert = (text?: string) => void note('alert', text)
  window.confirm = (text?: string) => note('confirm', text)
  window.prompt = (text?: string) => {
    note('prompt', text)
    return null
  }
}

/** Runs in the page. */
function unguard(place: string): unknown {
  const state = Reflect.get(window, place) as
    | (Pick<Window, 'alert' | 'confirm' | 'prompt'> & { first: unknown })
    | undefined
  if (!state) return null
  window.alert = state.alert
  window.confirm = state.confirm
  window.prompt = state.prompt
  Reflect.deleteProperty(window, place)
  return state.first
}
