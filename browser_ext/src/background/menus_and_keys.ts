// Menus, keys and the address bar. They read only the picture that the owner points at. They send only what the owner
// enters after Penny's name in the address bar.
import { browser } from 'wxt/browser'
import { deadline } from '../abortable'
import { toBase64Url } from '../server/base64url'
import { proposalOf, proposalOfPicture, type Choice, type ProposalTarget, type Proposal } from '../state/proposal'
import { urlToStore, webUrl } from '../grants/hosts'
import { say, type Key } from '../say'
import { pointedAt } from '../tools/picture'
import { obey } from './commands'
import type { Penny } from './penny'
import { openPanel } from './open_panel'

type MenuContext = 'page' | 'selection' | 'editable' | 'link' | 'image'
type MenuTitle = [id: Choice | 'watch' | 'keep' | 'ask_image' | 'bar' | 'write', context: MenuContext, title: Key]
const WEB = ['http://*/*', 'https://*/*']
const MENU: MenuTitle[] = [
  ['ask_page', 'page', 'menu_ask_page'],
  ['summarise', 'page', 'menu_summarise'],
  ['watch', 'page', 'menu_watch'],
  ['keep', 'page', 'menu_keep'],
  ['bar', 'selection', 'menu_bar'],
  ['write', 'editable', 'menu_write'],
  ['ask_selection', 'selection', 'menu_ask_selection'],
  ['remember', 'selection', 'menu_remember'],
  ['ask_link', 'link', 'menu_ask_link'],
  ['ask_image', 'image', 'menu_ask_image'],
]
const PICTURE_MS = 10_000
const FRAMES_DEEP = 20
const WHOLE_PAGE: unknown[] = ['ask_page', 'summarise'] satisfies Choice[]
const KEEP_KEY = 'keep-page'
const BAR_KEY = 'bar'
const KEYS: Record<string, Choice> = { 'ask-page': 'ask_page', 'summarise-page': 'summarise' }

interface Place {
  id?: number | undefined
  windowId?: number | undefined
  url?: string | undefined
  title?: string | undefined
  incognito?: boolean | undefined
}

interface Pointed {
  menuItemId: string | number
  selectionText?: string | undefined
  linkUrl?: string | undefined
  linkText?: string | undefined
  srcUrl?: string | undefined
  frameId?: number | undefined
  frameUrl?: string | undefined
  pageUrl?: string | undefined
}

export function listenToMenus(penny: Penny): void {
  if (import.meta.env.FIREFOX) void makeMenus()
  else browser.runtime.onInstalled.addListener(() => void makeMenus()) // Chrome stores menus
  browser.contextMenus.onClicked.addListener((info, tab) => offerChoice(penny, info, tab ?? {}))
}

async function makeMenus(): Promise<void> {
  await browser.contextMenus.removeAll()
  for (const [id, context, title] of MENU)
    browser.contextMenus.create({ id, title: say(title), contexts: [context], documentUrlPatterns: WEB })
}

function offerChoice(penny: Penny, info: Pointed, tab: Place): void {
  const { menuItemId: choice, selectionText: selection, linkUrl, linkText, srcUrl = '', pageUrl = tab.url } = info
  if (choice === 'watch' && !tab.incognito) return void watch(penny, tab, pageUrl)
  if (choice === 'bar' || choice === 'write') return void bringBar(penny, tab, info.frameId ?? 0)
  openPanel(tab.windowId)
  const about = { pageUrl, title: tab.title, selection, linkUrl, linkText, isPrivate: tab.incognito ?? false }
  if (choice === 'watch') return refuse(penny, tab, say('propose_private'))
  if (choice === 'keep') return void keep(penny, tab)
  if (choice === 'ask_image')
    return offer(penny, tab, (target, server) => proposalOfPicture({ ...about, target, srcUrl }, server, pictureAt))
  offer(penny, tab, async (target, server) =>
    proposalOf({ choice: choice as Choice, ...about, ...(await frameOf(info, tab)), target }, server),
  )
}

/** What was chosen inside a frame of another site bears that site's name. */
async function frameOf(
  { menuItemId, frameId, frameUrl, pageUrl }: Pointed,
  tab: Place,
): Promise<Pick<About, 'pageUrl' | 'title'>> {
  if (!frameId || WHOLE_PAGE.includes(menuItemId)) return {}
  const address = await frameAddress(tab.id, frameId, frameUrl)
  const [frame, page] = [webUrl(address), webUrl(pageUrl ?? tab.url ?? '')]
  return frame && page && frame.host === page.host ? {} : { pageUrl: address, title: '' }
}

/** A frame without an address of its own is its parent's. */
async function frameAddress(tabId: number | undefined, frameId: number, frameUrl?: string): Promise<string> {
  if (webUrl(frameUrl ?? '') || tabId === undefined) return frameUrl ?? ''
  for (let id = frameId, depth = 0; id > 0 && depth < FRAMES_DEEP; depth++) {
    const frame = await browser.webNavigation.getFrame({ tabId, frameId: id }).catch(() => null)
    if (!frame || !/^(https?:|about:(srcdoc|blank)$)/.test(frame.url)) return ''
    if (webUrl(frame.url)) return frame.url
    id = frame.parentFrameId
    if (id === 0) return (await browser.tabs.get(tabId)).url ?? ''
  }
  return ''
}

/** Fetched without cookies. A picture that only the signed-in owner sees can be copied and pasted. */
async function pictureAt(address: string): Promise<string> {
  const limit = deadline(PICTURE_MS, () => new Error('took too long'))
  try {
    return toBase64Url(await pointedAt(address, limit.signal))
  } finally {
    limit.stop()
  }
}

export function listenToKeys(penny: Penny): void {
  browser.commands.onCommand.addListener((name, tab) => {
    const choice = KEYS[name]
    if (name === BAR_KEY) return void lookedAt(tab).then((place) => bringBar(penny, place))
    if (!choice && name !== KEEP_KEY) return
    openPanel(tab?.windowId)
    void lookedAt(tab).then(async (place) => {
      if (!choice) return await keep(penny, place)
      propose(penny, place, { choice, pageUrl: place.url, title: place.title, isPrivate: place.incognito ?? false })
    })
  })
}

async function lookedAt(tab?: Place): Promise<Place> {
  if (tab?.url) return tab
  const [frontTab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  return frontTab ?? {}
}

/**
 * Take the text after Penny's name in the address bar as a message of the owner. Browsers do not say in which window
 * the owner types. The window is looked up during typing: the panel may be opened only in the moment of entering.
 */
export function listenToOmnibox(penny: Penny): void {
  let place: Place = {}
  const look = async () => void (place = await lookedAt())
  void browser.omnibox.setDefaultSuggestion({ description: say('omnibox_suggestion') })
  browser.omnibox.onInputChanged.addListener(() => void look())
  browser.omnibox.onInputEntered.addListener((text) => {
    if (import.meta.env.FIREFOX || place.windowId !== undefined) openPanel(place.windowId)
    else void look().then(() => openPanel(place.windowId))
    void proposeText(penny, text)
  })
}

async function proposeText(penny: Penny, text: string): Promise<void> {
  await penny.ready
  const outcome = await obey(penny, { type: 'send', text, ...(penny.memory.panel.isTemporary && { temporary: true }) })
  if (!outcome.ok) refuse(penny, await lookedAt(), outcome.message)
}

type About = Omit<Parameters<typeof proposalOf>[0], 'target'>

function propose(penny: Penny, place: Place, about: About): void {
  offer(penny, place, (target, server) => proposalOf({ ...about, target }, server))
}

function offer(
  penny: Penny,
  { id: tabId, windowId }: Place,
  make: (target: ProposalTarget, server: string) => Proposal | Promise<Proposal>,
): void {
  void penny.ready.then(async () => {
    if (windowId === undefined) return // without a window there is no panel
    const target = { id: crypto.randomUUID(), windowId, ...(tabId !== undefined && { tabId }) }
    const server = penny.memory.pairing?.server
    penny.memory.show({ proposal: server ? await make(target, server) : { ...target, problem: say('propose_pair') } })
  })
}

function refuse(penny: Penny, place: Place, problem: string): void {
  offer(penny, place, (target) => ({ ...target, problem }))
}

/** What becomes of it, the panel shows beside that tab. A private window has no such tab. */
async function keep(penny: Penny, { id, url, incognito, ...place }: Place): Promise<void> {
  await penny.ready
  const problem = penny.memory.pairing ? incognito && say('propose_private') : say('propose_pair')
  if (problem) refuse(penny, place, problem)
  else if (id !== undefined) await penny.vault.keep({ tab_id: id, url: url ?? '' })
}

/** A page where no script of Penny may run has no bar: the panel says so. */
async function bringBar(penny: Penny, tab: Place, frameId?: number): Promise<void> {
  await penny.ready
  const problem = penny.memory.pairing ? tab.incognito && say('propose_private') : say('propose_pair')
  const isThere = !problem && tab.id !== undefined && (await isBrought(penny, tab.id, frameId))
  if (isThere) return
  openPanel(tab.windowId)
  refuse(penny, tab, problem || say('bar_not_here'))
}

async function isBrought(penny: Penny, tabId: number, frameId?: number): Promise<boolean> {
  try {
    await penny.bars.bring(tabId, frameId)
    return true
  } catch (reason) {
    console.debug('Penny: no bar there', reason)
    return false
  }
}

/** Open the page for a new watch: the owner sees there what is watched, and can set a price. */
async function watch(penny: Penny, tab: Place, pageUrl: string | undefined): Promise<void> {
  await penny.ready
  const web = webUrl(pageUrl ?? '')
  const server = penny.memory.pairing?.server
  if (web && server)
    return void browser.tabs.create({ url: `${server}/watches/?url=${encodeURIComponent(urlToStore(web))}` })
  openPanel(tab.windowId)
}
