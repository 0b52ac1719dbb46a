import { useEffect, useRef } from 'preact/hooks'
import type { Proposal } from '../proposal'
import { command } from './background_link'

/** Has `take` called once with each thing that the owner chose outside the panel, as soon as the panel is ready for it. */
export function useProposal(proposal: Proposal | null, isReady: boolean, take: (proposal: Proposal) => void): void {
  const taken = useRef('')
  useEffect(() => {
    if (!proposal || !isReady || taken.current === proposal.id) return
    taken.current = proposal.id
    take(proposal)
    void command({ type: 'proposal_taken', id: proposal.id })
  }, [proposal, isReady])
}
