// What the owner chose in a menu, by a key or in the address bar, on its way into the box. The owner sees it there
// before sending; nothing leaves the browser before.
import { urlToStore, urlToTell, webUrl } from '../grants/hosts'
import type { Attachment, Page } from '../protocol.gen'
import { say } from '../say'
import { whyNot } from './sharing'

const PAGE_CHARACTERS = 50_000
const LINK_CHARACTERS = 200

export interface Proposal {
  id: string
  /** Only the panel of this window takes the proposal. */
  windowId: number
  /** `wants` reads this tab and no other. */
  tabId?: number
  /** Text for the box. */
  text?: string
  /** The passage that the message is about. */
  page?: Page
  /** The picture that the message is about. */
  file?: Attachment
  /** Include the page of that tab, or summarise it at once. */
  wants?: 'page' | 'summary'
  /** Why nothing can be proposed, in words for the owner. */
  problem?: string
}

export type Choice = 'ask_page' | 'ask_selection' | 'ask_link' | 'remember' | 'summarise'

export type ProposalTarget = Pick<Proposal, 'id' | 'windowId' | 'tabId'>

interface ChosenThing {
  choice: Choice
  target: ProposalTarget
  pageUrl?: string | undefined
  title?: string | undefined
  selection?: string | undefined
  linkUrl?: string | undefined
  linkText?: string | undefined
  isPrivate: boolean
}

/** Return what goes into the box for a choice in a menu or by a key. */
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
      return { ...link(thing, server), text: say('propose_link') }
    case 'ask_selection':
      return passage(thing)
    case 'remember':
      return { ...passage(thing), text: say('propose_remember') }
  }
}

const NAME_CHARACTERS = 64

/** Return what goes into the box for a picture. `pictureAt` resolves with a JPEG in base64url. */
export async function proposalOfPicture(
  thing: PointedAt,
  server: string,
  pictureAt: (address: string) => Promise<string>,
): Promise<Proposal> {
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

function fileNameOf(srcUrl: string): string {
  const end = webUrl(srcUrl)?.pathname.split('/').at(-1) ?? ''
  return /^[\w.-]+$/.test(end) ? end.slice(-NAME_CHARACTERS) : say('picture_name')
}

/** A passage goes as a page that holds only these words. */
function passage({ target, selection, pageUrl, title }: ChosenThing): Proposal {
  const text = selection?.trim() ?? ''
  if (!text) return { ...target, problem: say('propose_empty') }
  const shortened = text.slice(0, PAGE_CHARACTERS)
  const page: Page = {
    url: urlForServer(pageUrl),
    title: title?.slice(0, 1000) ?? '',
    text: shortened,
    links: [],
    extracted_with: 'text',
    truncated: shortened !== text,
  }
  return { ...target, page }
}

/**
 * A page chose the address, so a link goes as a page that holds nothing else. It names the site of the link where that
 * of the page may not go along.
 */
function link({ target, pageUrl, linkUrl, linkText }: ChosenThing, server: string): Proposal {
  const address = urlForOwner(linkUrl)
  const words = linkText?.trim().slice(0, LINK_CHARACTERS) ?? ''
  const page: Page = {
    url: urlForServer(whyNot(pageUrl, server) ? linkUrl : pageUrl),
    title: '',
    text: [words, address].filter(Boolean).join('\n'),
    links: [{ text: words, url: address }],
    extracted_with: 'link',
    truncated: false,
  }
  return { ...target, page }
}

/** The whole address, without what is surely a secret: the link may be opened, and the owner sees it before. */
function urlForOwner(url: string | undefined): string {
  const web = webUrl(url ?? '')
  return web ? urlToTell(web) : ''
}

function urlForServer(url: string | undefined): string {
  const web = webUrl(url ?? '')
  return web ? urlToStore(web) : ''
}
