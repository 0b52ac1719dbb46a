import { browser } from 'wxt/browser'
import { webUrl } from '../grants/hosts'
import { siteOf } from '../state/sharing'
import { coinName, type Coin } from '../state/coin'
import { nextExpiryMs, openAsks } from '../state/asks'
import type { Errand } from '../state/errands'
import type { PanelState } from '../state/panel_state'
import { drawCoin } from './draw_coin'

const COLOUR = '#a84f23'
const SIZES = [16, 32]
/** On the button while she acts on a page, and while the page in front is or will be kept by itself. */
const [ACTING, KEEPING] = ['▶', '•']
const LATE_MS = 50
const LONGEST_MS = 2 ** 31 - 1 // a longer timer fires at once

interface Source {
  memory: {
    panel: Pick<
      PanelState,
      'asks' | 'turns' | 'errands' | 'isTemporary' | 'toolUse' | 'grants' | 'pairing' | 'keptTabs'
    >
  }
  permits: (url: URL) => boolean
}

interface FrontTab {
  id?: number | undefined
  url?: string | undefined
  incognito: boolean
}

/** Penny's coin on the toolbar, and the number of open questions on it. Each tab has a coin of its own site. */
export class ToolbarButton {
  #timer: ReturnType<typeof setTimeout> | undefined
  #facts = ''

  constructor(private readonly penny: Source) {}

  listen(): void {
    const { onActivated, onUpdated } = browser.tabs
    onActivated.addListener(() => void this.show())
    onUpdated.addListener((_, { status, url }) => {
      if (status || url) void this.show() // a tab that goes elsewhere loses its icon
    })
  }

  /** Called after every event: a streamed word changes nothing here. */
  follow(): void {
    const { asks, turns, errands, isTemporary, toolUse, grants, pairing, keptTabs } = this.penny.memory.panel
    const work = [turns.length > 0, areActing(errands)]
    const facts = JSON.stringify([asks.map(({ request_id }) => request_id), work, isTemporary, toolUse])
    const now = facts + JSON.stringify([grants, pairing?.server, keptTabs])
    if (now === this.#facts) return
    this.#facts = now
    void this.show()
  }

  async show(): Promise<void> {
    clearTimeout(this.#timer)
    const asks = openAsks(this.penny.memory.panel.asks, Date.now())
    const wait = nextExpiryMs(asks, Date.now())
    if (wait !== null) this.#timer = setTimeout(() => void this.show(), Math.min(wait + LATE_MS, LONGEST_MS))
    const button = browser.action ?? browser.browserAction
    await button.setBadgeBackgroundColor({ color: COLOUR })
    const sign = areActing(this.penny.memory.panel.errands) ? ACTING : ''
    const text = asks.length > 0 ? String(asks.length) : sign
    await button.setBadgeText({ text })
    await button.setTitle({ title: coinName(this.#coin(asks.length)) })
    const tabs = await browser.tabs.query({ active: true })
    await Promise.all(tabs.map((tab) => showIn(tab, this.#coin(asks.length, tab), text)))
  }

  #coin(questions: number, tab?: FrontTab): Coin {
    const { turns, errands, isTemporary, toolUse, keptTabs } = this.penny.memory.panel
    const url = tab && !tab.incognito ? webUrl(tab.url ?? '') : null
    const mayRead = toolUse && url !== null && this.penny.permits(url)
    return {
      questions,
      isWorking: turns.length > 0,
      isActing: areActing(errands),
      isOffRecord: isTemporary,
      mayRead,
      keeps: tab?.id !== undefined && keptTabs.includes(tab.id) ? siteOf(tab.url) : null,
    }
  }
}

function areActing(errands: readonly Pick<Errand, 'state'>[]): boolean {
  return errands.some(({ state }) => state === 'running')
}

/** A tab may be gone by now. */
async function showIn({ id: tabId }: FrontTab, coin: Coin, text: string): Promise<void> {
  if (tabId === undefined) return
  const button = browser.action ?? browser.browserAction
  const imageData = Object.fromEntries(SIZES.map((size) => [size, drawCoin(coin, size)]))
  const badge = text || (coin.keeps ? KEEPING : '')
  await Promise.all([
    button.setIcon({ tabId, imageData }),
    button.setTitle({ tabId, title: coinName(coin) }),
    button.setBadgeText({ tabId, text: badge }),
  ]).catch(() => undefined)
}
