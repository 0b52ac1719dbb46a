// What the owner chose outside the panel, in a menu, by a key or in the address bar, on its way into the box: looked at there, and sent
// by them. Nothing of it goes anywhere before.
import { urlToStore, urlToTell, webUrl } from '../grants/hosts'
import type { Attachment, Page } from '../protocol.gen'
import { say } from '../say'
import { whyNot } from './sharing'

const PAGE_CHARACTERS = 50_000

export interface Proposal {
  id: string
  /** Where it was chosen: the panel of that window alone takes it. */
  windowId: number
  /** The tab that it was chosen in: what `wants` asks for is read there and nowhere else. */
  tabId?: number
  /** For the box. */
  text?: string
  /** What the message is about: a passage that the owner selected. */
  page?: Page
  /** What the message is about: a picture of a page. */
  file?: Attachment
  /** Include the page of that tab, or have it summed up at once. */
  wants?: 'page' | 'summary'
  /** Why nothing can be proposed. */
  problem?: string
}

export type Choice = 'ask_page' | 'ask_selection' | 'ask_link' | 'remember' | 'summarise'

/** Where something was chosen. */
export type ProposalTarget = Pick<Proposal, 'id' | 'windowId' | 'tabId'>

interface ChosenThing {
  choice: Choice
  target: ProposalTarget
  pageUrl?: string | undefined
  title?: string | undefined
  selection?: string | undefined
  linkUrl?: string | undefined
  isPrivate: boolean
}

/** Returns what goes into the box for what the owner chose in a menu or by a key. */
export function proposalOf(thing: ChosenThing, server: string): Proposal {
  const { choice, target, isPrivate, pageUrl, linkUrl } = thing
  const problem = isPrivate ? say('propose_private') : whyNot(choice === 'ask_link' ? linkUrl : pageUrl, server)
  if (problem) return { ...target, problem }
  switch (choice) {
    case 'ask_page':
      return { ...target, wants: 'page' }
    case 'summarise':
      return { ...target, wants: 'summary' }
    case 'ask_link':
      return { ...target, text: say('propose_link', urlForOwner(linkUrl)) }
    case 'ask_selection':
      return passage(thing)
    case 'remember':
      return { ...passage(thing), text: say('propose_remember') }
  }
}

const NAME_CHARACTERS = 64

/** Returns what goes into the box for a picture that the owner pointed at. `pictureAt` resolves with it as a JPEG in base64url. */
export async function proposalOfPicture(thing: PointedAt, server: string, pictureAt: (address: string) => Promise<string>): Promise<Proposal> {
  const { target, isPrivate, pageUrl, srcUrl } = thing
  const problem = isPrivate ? say('propose_private') : whyNot(pageUrl, server)
  if (problem) return { ...target, problem }
  try {
    return { ...target, file: { name: fileNameOf(srcUrl), mime: 'image/jpeg', data: await pictureAt(srcUrl) } }
  } catch (reason) {
    console.debug('Penny: no picture', webUrl(srcUrl)?.hostname, reason)
    return { ...target, problem: say('propose_no_picture') }
  }
}

interface PointedAt extends Pick<ChosenThing, 'target' | 'isPrivate' | 'pageUrl'> {
  srcUrl: string
}

/** The end of its address, as files are named. */
function fileNameOf(srcUrl: string): string {
  const end = webUrl(srcUrl)?.pathname.split('/').at(-1) ?? ''
  return /^[\w.-]+$/.test(end) ? end.slice(-NAME_CHARACTERS) : say('picture_name')
}

/** A passage goes as a page that has these words alone. */
function passage({ target, selection, pageUrl, title }: ChosenThing): Proposal {
  const text = selection?.trim() ?? ''
  if (!text) return { ...target, problem: say('propose_empty') }
  const shortened = text.slice(0, PAGE_CHARACTERS)
  const page: Page = { url: urlForServer(pageUrl), title: title?.slice(0, 1000) ?? '', text: shortened, links: [], extracted_with: 'text', truncated: shortened !== text }
  return { ...target, page }
}

/** Whole, but for what is surely a secret: it may be opened, and the owner sees it before. */
function urlForOwner(url: string | undefined): string {
  const web = webUrl(url ?? '')
  return web ? urlToTell(web) : ''
}

function urlForServer(url: string | undefined): string {
  const web = webUrl(url ?? '')
  return web ? urlToStore(web) : ''
}
