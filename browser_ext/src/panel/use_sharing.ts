import { useEffect, useState } from 'preact/hooks'
import type { Page } from '../protocol.gen'
import { say } from '../say'
import type { Tab } from '../state/sharing'
import type { Outcome } from '../state/panel_state'
import { sendCommand } from '../own_pages/background_link'
import { useFrontTab } from './use_front_tab'

interface Shared {
  isOn: boolean
  page: Page | null
  problem: string
}

export interface Sharing extends Shared {
  tab: Tab | null
  include: (isOn: boolean) => Promise<void>
  /** Read the page of a tab (by default the one beside the panel) for a message that is sent at once. */
  readPage: (tabId?: number) => Promise<Outcome>
}

const OFF: Shared = { isOn: false, page: null, problem: '' }

/**
 * The page beside the panel. It goes with the next message if the owner ticks the box, which clears when the tab shows
 * another page.
 */
export function useSharing(): Sharing {
  const tab = useFrontTab()
  const [sharedPage, setShared] = useState(OFF)
  useEffect(() => setShared(OFF), [tab?.id, tab?.url])
  const readPage = async (tabId = tab?.id): Promise<Outcome> =>
    tabId === undefined ? { ok: false, message: say('share_no_tab') } : sendCommand({ type: 'read_tab', tab_id: tabId })
  const include = async (isOn: boolean) => {
    const reading = { ...OFF, isOn }
    setShared(reading)
    if (!isOn || tab?.id === undefined) return
    const outcome = await readPage()
    const next = outcome.ok
      ? { isOn: true, page: outcome.page ?? null, problem: '' }
      : { ...OFF, problem: outcome.message }
    setShared((now) => (now === reading ? next : now))
  }
  return { ...sharedPage, tab, include, readPage }
}
