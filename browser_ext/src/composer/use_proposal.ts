import { useEffect, useRef } from 'preact/hooks'
import { browser } from 'wxt/browser'
import type { Proposal } from '../state/proposal'
import { sendCommand } from '../own_pages/background_link'

/**
 * Has `take` called with what the owner chose outside the panel, as soon as the panel is ready for it. Every open panel hears of it:
 * those of another window leave it, and of two in its window the background gives it to one.
 */
export function useProposal(proposal: Proposal | null, isReady: boolean, take: (proposal: Proposal) => void): void {
  const lastId = useRef('')
  const newest = useRef(take)
  newest.current = take
  useEffect(() => {
    if (!proposal || !isReady || lastId.current === proposal.id) return
    lastId.current = proposal.id
    void isOurs(proposal).then((isIt) => isIt && newest.current(proposal))
  }, [proposal, isReady])
}

async function isOurs({ id, windowId }: Proposal): Promise<boolean> {
  const here = await browser.windows.getCurrent()
  return here.id === windowId && (await sendCommand({ type: 'take_proposal', id })).ok
}
