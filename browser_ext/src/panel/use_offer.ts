import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../own_pages/background_link'
import { tabInFront } from './use_front_tab'

// Penny's page asks her for its code when it opens, which takes a moment.
const LOOKS = 5
const BETWEEN_MS = 400

/** The address of the page that offers, and the tab in which it was read. */
export interface ShownOffer {
  tabId: number
  server: string
}

/** The tab in front is looked at when the panel opens, and when the owner says so. */
export function useOffer(): { offer: ShownOffer | null; isLooking: boolean; look: () => void } {
  const [turn, setTurn] = useState(0)
  const [offer, setOffer] = useState<ShownOffer | null>(null)
  const [isLooking, setLooking] = useState(true)
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
