// The ways to Penny beside her panel: the menus of the page, keys, and her name in the address bar. None of them reads anything but
// the picture that the owner points at, or sends anything by itself, but for what the owner types after her name and enters.
import { browser } from 'wxt/browser'
import { deadline } from '../abortable'
import { toBase64Url } from '../base64url'
import { proposalOf, proposalOfPicture, type Choice, type Proposal } from '../proposal'
import { urlToStore, webUrl } from '../hosts'
import { say, type Key } from '../say'
import { pointedAt } from '../tools/picture'
import { obey } from './commands'
import type { Penny } from './penny'
import { summonPanel } from './summon'

type MenuContext = 'page' | 'selection' | 'link' | 'image'
type MenuTitle = [id: Choice | 'watch' | 'ask_image', context: MenuContext, title: Key]
const WEB = ['http://*/*', 'https://*/*']
const MENU: MenuTitle[] = [
  ['ask_page', 'page', 'menu_ask_page'],
  ['summarise', 'page', 'menu_summarise'],
  ['watch', 'page', 'menu_watch'],
  ['ask_selection', 'selection', 'menu_ask_selection'],
  ['remember', 'selection', 'menu_remember'],
  ['ask_link', 'link', 'menu_ask_link'],
  ['ask_image', 'image', 'menu_ask_image'],
]
const PICTURE_MS = 10_000
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
  srcUrl?: string | undefined
  pageUrl?: string | undefined
}

export function listenToMenus(penny: Penny): void {
  if (import.meta.env.FIREFOX) void makeMenus()
  else browser.runtime.onInstalled.addListener(() => void makeMenus()) // Chrome keeps them
  browser.contextMenus.onClicked.addListener((pointed, tab) => chosen(penny, pointed, tab ?? {}))
}

async function makeMenus(): Promise<void> {
  await browser.contextMenus.removeAll()
  for (const [id, context, title] of MENU) browser.contextMenus.create({ id, title: say(title), contexts: [context], documentUrlPatterns: WEB })
}

function chosen(penny: Penny, pointed: Pointed, tab: Place): void {
  const { menuItemId: choice, selectionText: selection, linkUrl, srcUrl = '', pageUrl } = pointed
  if (choice === 'watch') return void watch(penny, pageUrl)
  summonPanel(tab.windowId)
  const about = { pageUrl: pageUrl ?? tab.url, title: tab.title, selection, linkUrl, isPrivate: tab.incognito ?? false }
  if (choice === 'ask_image') return offer(penny, (id, server) => proposalOfPicture({ ...about, id, srcUrl }, server, pictureAt))
  propose(penny, { choice: choice as Choice, ...about })
}

/** Fetched without cookies: what a site shows to the signed-in owner alone can be copied and pasted. */
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
    if (!choice) return
    summonPanel(tab?.windowId)
    void lookedAt(tab).then(({ url, title, incognito }) => propose(penny, { choice, pageUrl: url, title, isPrivate: incognito ?? false }))
  })
}

async function lookedAt(tab: Place | undefined): Promise<Place> {
  if (tab?.url) return tab
  const [found] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  return found ?? {}
}

/** What is typed after her name is the owner's message, and goes to her as such. */
export function listenToOmnibox(penny: Penny): void {
  void browser.omnibox.setDefaultSuggestion({ description: say('omnibox_suggestion') })
  browser.omnibox.onInputEntered.addListener((text) => void entered(penny, text))
}

async function entered(penny: Penny, text: string): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  summonPanel(tab?.windowId)
  await penny.ready
  const outcome = await obey(penny, { type: 'send', text })
  if (!outcome.ok) penny.memory.show({ proposal: { id: crypto.randomUUID(), text, problem: outcome.message } })
}

type About = Omit<Parameters<typeof proposalOf>[0], 'id'>

function propose(penny: Penny, about: About): void {
  offer(penny, (id, server) => proposalOf({ ...about, id }, server))
}

function offer(penny: Penny, make: (id: string, server: string) => Proposal | Promise<Proposal>): void {
  void penny.ready.then(async () => {
    const id = crypto.randomUUID()
    const server = penny.memory.pairing?.server
    penny.memory.show({ proposal: server ? await make(id, server) : { id, problem: say('propose_pair') } })
  })
}

/** Where a watch is made of the page: the owner sees there what is watched, and says below which price. */
async function watch(penny: Penny, pageUrl: string | undefined): Promise<void> {
  await penny.ready
  const web = webUrl(pageUrl ?? '')
  const server = penny.memory.pairing?.server
  if (web && server) await browser.tabs.create({ url: `${server}/watches/?url=${encodeURIComponent(urlToStore(web))}` })
}
