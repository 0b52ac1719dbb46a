import { useEffect, useRef } from 'preact/hooks'
import { browser } from 'wxt/browser'
import type { Proposal } from '../state/proposal'
import { sendCommand } from '../own_pages/background_link'

/**
 * Call `take` with a proposal as soon as the panel is ready. Every open panel gets the proposal. Panels of other
 * windows ignore it. Of two in its window, the background gives it to one.
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
