import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../own_pages/background_link'
import { tabInFront, useFrontTab } from './use_front_tab'
import { originOfPenny } from './use_open_penny'

// Penny's page asks her for its code when it opens, which takes a moment.
const LOOKS = 5
const BETWEEN_MS = 400

/** The address of the page that offers, and the tab in which it was read. */
export interface ShownOffer {
  tabId: number
  server: string
}

/**
 * The tab in front is looked at when the panel opens, when the owner says so, and when a page that calls itself Penny
 * on this computer comes to the front: Firefox opens the sidebar by itself once the add-on is there, before that page.
 */
export function useOffer(): { offer: ShownOffer | null; isLooking: boolean; look: () => void } {
  const [turn, setTurn] = useState(0)
  const [offer, setOffer] = useState<ShownOffer | null>(null)
  const [isLooking, setLooking] = useState(true)
  const front = useFrontTab()
  const ownPage = front && originOfPenny(front).length > 0 ? front.url : undefined
  useEffect(() => {
    let isOver = false
    void lookedFor(() => isOver).then((result) => {
      if (isOver) return
      setOffer(result)
      setLooking(false)
    })
    return () => void (isOver = true)
  }, [turn])
  const look = () => {
    setLooking(true)
    setTurn((before) => before + 1)
  }
  useEffect(() => {
    if (ownPage && !offer) look()
  }, [ownPage])
  return { offer, isLooking, look }
}

async function lookedFor(isOver: () => boolean): Promise<ShownOffer | null> {
  const tab = await tabInFront()
  if (tab?.id === undefined) return null
  for (let looks = 0; looks < LOOKS && !isOver(); looks += 1) {
    if (looks) await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
    const outcome = await sendCommand({ type: 'find_offer', tab_id: tab.id })
    if (outcome.ok && outcome.server) return { tabId: tab.id, server: outcome.server }
  }
  return null
}
