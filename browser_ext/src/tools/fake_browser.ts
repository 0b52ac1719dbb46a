// The parts of a browser that tools use, for tests: tabs that load at once, scripts that return what the test says,
// requests that the test makes.
import { vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { stored } from '../state/stored'
import type { ToolContext } from '../page_tabs/call_context'

type Listener = (...values: never[]) => unknown
type Filter = { types?: string[] }

class FakeEvent {
  readonly listeners = new Map<Listener, Filter | undefined>()
  readonly addListener = (listener: Listener, filter?: Filter) => void this.listeners.set(listener, filter)
  readonly removeListener = (listener: Listener) => void this.listeners.delete(listener)
  /** A request without a type is that of a page. */
  tell(...values: unknown[]): unknown[] {
    const type = (values[0] as { type?: string } | undefined)?.type ?? 'main_frame'
    const concerned = [...this.listeners].filter(([, filter]) => filter?.types?.includes(type) ?? true)
    return concerned.map(([listener]) => (listener as (...args: unknown[]) => unknown)(...values))
  }
}

export interface FakePage {
  /** What the injected script returns. */
  extraction?: unknown
  /** What the script returns that looks for a skill's selectors. */
  fields?: unknown
  /** Where the tab ends up instead of the address that was asked for, and where it is once the script has run. */
  lands?: string
  /** Where it goes on to by itself, once it was looked at there. */
  passesOnTo?: string
  landsLater?: string
  /** A worker of the site answered for it, past the sandbox. */
  isBesideSandbox?: boolean
}

interface FakeScript {
  target: { tabId: number }
  files?: string[]
  func?: { name: string }
}

export interface FakeTab {
  id: number
  url: string
  status: string
  active: boolean
  title?: string
  hidden?: boolean
  openerTabId?: number
  incognito?: boolean
  cookieStoreId?: string
}

export class FakeBrowser {
  readonly tabs = new Map<number, FakeTab>()
  readonly onBeforeRequest = new FakeEvent()
  readonly onHeadersReceived = new FakeEvent()
  readonly onCompleted = new FakeEvent()
  readonly onErrorOccurred = new FakeEvent()
  readonly onRemoved = new FakeEvent()
  readonly onCreated = new FakeEvent()
  readonly onCreatedNavigationTarget = new FakeEvent()
  readonly onVisited = new FakeEvent()
  readonly onResponseStarted = new FakeEvent()
  readonly onCommitted = new FakeEvent()
  readonly onDOMContentLoaded = new FakeEvent()
  readonly onHistoryStateUpdated = new FakeEvent()
  readonly onActivated = new FakeEvent()
  readonly onPermissionRemoved = new FakeEvent()
  /** The optional permissions that the owner gave in the browser. */
  readonly permitted = new Set<string>()
  readonly focused: number[] = []
  windowState = 'normal'
  /** The scripts that pages have from their beginning. */
  acting: { id: string; matches: string[] }[] = []
  readonly rules = vi.fn(async () => undefined)
  #lastId = 10

  constructor(private readonly page: FakePage) {
    const event = new FakeEvent()
    const { onBeforeRequest, onHeadersReceived, onCompleted, onErrorOccurred } = this
    const { onCreated, onCreatedNavigationTarget, onRemoved, onActivated } = this
    const { onResponseStarted, onCommitted, onDOMContentLoaded, onHistoryStateUpdated } = this
    Object.assign(fakeBrowser, {
      webNavigation: { onCreatedNavigationTarget, onCommitted, onDOMContentLoaded, onHistoryStateUpdated },
      webRequest: { onResponseStarted, onBeforeRequest, onHeadersReceived, onCompleted, onErrorOccurred },
      scripting: { executeScript: this.#executeScript, ...this.#registeredScripts },
      declarativeNetRequest: { getSessionRules: async () => [], updateSessionRules: this.rules },
      history: {
        onVisited: { ...this.onVisited, hasListener: (listener: Listener) => this.onVisited.listeners.has(listener) },
      },
      permissions: { ...this.#permissionFunctions, onAdded: new FakeEvent(), onRemoved: this.onPermissionRemoved },
      windows: {
        getAll: async () => [{ id: 1, focused: true, incognito: false }],
        get: async () => ({ id: 1, state: this.windowState }),
        onFocusChanged: new FakeEvent(),
      },
      tabs: { ...this.#tabFunctions, TAB_ID_NONE: -1, onUpdated: event, onCreated, onRemoved, onActivated },
    })
  }

  readonly #permissionFunctions = {
    contains: async ({ permissions = [], origins = [] }: { permissions?: string[]; origins?: string[] }) =>
      [...permissions, ...origins].every((name) => this.permitted.has(name)),
    remove: async ({ permissions }: { permissions: string[] }) =>
      permissions.forEach((name) => this.permitted.delete(name)),
  }

  readonly #tabFunctions = {
    query: async () => [...this.tabs.values()].map((tab) => ({ ...tab })),
    get: async (id: number) => {
      const tab = this.tabs.get(id)
      if (!tab) throw new Error('No tab with that id')
      return { ...tab }
    },
    create: async ({ url, active }: { url: string; active: boolean }) => {
      const tab = { id: ++this.#lastId, url, status: 'complete', active }
      if (active) this.focused.push(tab.id)
      this.tabs.set(tab.id, tab)
      return { ...tab }
    },
    update: async (id: number, { url }: { url?: string }) => {
      const tab = this.tabs.get(id)
      if (tab && url) tab.url = this.page.lands ?? url
    },
    remove: async (id: number) => void this.tabs.delete(id),
  }

  readonly #registeredScripts = {
    registerContentScripts: async (scripts: { id: string; matches: string[] }[]) => this.acting.push(...scripts),
    unregisterContentScripts: async (which?: { ids: string[] }) => {
      this.acting = this.acting.filter(({ id }) => which && !which.ids.includes(id))
    },
  }

  readonly #executeScript = async ({ target, files, func }: FakeScript) => {
    const tab = this.tabs.get(target.tabId)
    if (func?.name === 'sizeOfText') return [{ result: 500 }]
    if (func?.name === 'hasNoOrigin') return [{ result: !this.page.isBesideSandbox }]
    if (!files) {
      if (tab && this.page.passesOnTo) tab.url = this.page.passesOnTo
      return [{ result: { characters: 500, isComplete: true, scrolledTo: null, isStirred: false } }]
    }
    if (files.at(-1) === '/extractors.js') return [{ result: undefined }]
    if (tab && this.page.landsLater) tab.url = this.page.landsLater
    return [{ result: files.includes('/extract_fields.js') ? this.page.fields : this.page.extraction }]
  }
}

/** Let the process of a tab end at so many loads. Returns the tabs of all loads. */
export function endProcesses(fake: FakeBrowser, dying: number): number[] {
  const { update } = fakeBrowser.tabs
  const asked: number[] = []
  vi.spyOn(fakeBrowser.tabs, 'update').mockImplementation((async (id: number, change: { url?: string }) => {
    const tab = fake.tabs.get(id)
    if (!change.url || !tab) return
    asked.push(id)
    Object.assign(tab, { status: asked.length > dying ? 'complete' : 'unloaded', url: undefined })
    if (asked.length > dying) await update(id, change)
  }) as unknown as typeof update)
  return asked
}

/** A call that may read the named hosts. */
export function contextFor(...hosts: string[]): { controller: AbortController; context: ToolContext } {
  const controller = new AbortController()
  const permits = (url: URL) => hosts.includes(url.hostname)
  return {
    controller,
    context: {
      signal: controller.signal,
      endsAt: Date.now() + 30_000,
      permits,
      mayAct: () => false,
      isCleanOnly: () => false,
      rules: () => [],
      doing: () => undefined,
    },
  }
}

/** What a call must not leave behind: open tabs, remembered tabs, listeners. */
export async function leftBy(fake: FakeBrowser): Promise<unknown> {
  const { onBeforeRequest, onHeadersReceived, onCompleted, onErrorOccurred, onRemoved } = fake
  const events = [onBeforeRequest, onHeadersReceived, onCompleted, onErrorOccurred, onRemoved]
  const listeners = events.reduce((count, event) => count + event.listeners.size, 0)
  return {
    tabs: fake.tabs.size,
    scripts: fake.acting.length,
    remembered: (await stored.tabs.getValue()).length,
    listeners,
  }
}

export const NOTHING = { tabs: 0, scripts: 0, remembered: 0, listeners: 0 }
