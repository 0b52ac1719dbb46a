import { useEffect, useState } from 'preact/hooks'
import type { Page } from '../protocol.gen'
import type { Tab } from '../sharing'
import { command } from './background_link'
import { useFrontTab } from './use_front_tab'

interface Shared {
  isOn: boolean
  page: Page | null
  problem: string
}

export interface Sharing extends Shared {
  tab: Tab | null
  include: (isOn: boolean) => Promise<void>
}

const OFF: Shared = { isOn: false, page: null, problem: '' }

/** The page beside the panel, which goes with the next message if the owner ticks it; off again as soon as the tab shows another. */
export function useSharing(): Sharing {
  const tab = useFrontTab()
  const [shared, setShared] = useState(OFF)
  useEffect(() => setShared(OFF), [tab?.id, tab?.url])
  const include = async (isOn: boolean) => {
    const reading = { ...OFF, isOn }
    setShared(reading)
    if (!isOn || tab?.id === undefined) return
    const outcome = await command({ type: 'read_tab', tab_id: tab.id })
    const read = outcome.ok ? { isOn: true, page: outcome.page ?? null, problem: '' } : { ...OFF, problem: outcome.message }
    setShared((now) => (now === reading ? read : now))
  }
  return { ...shared, tab, include }
}
