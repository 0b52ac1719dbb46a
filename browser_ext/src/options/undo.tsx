import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { GrantInfo } from '../protocol.gen'
import { say, sayWith } from '../say'
import { useOutcome } from '../own_pages/use_outcome'
import { grantName, wish } from './words'

/** Runs only while neither pointer nor keyboard is on it. */
const UNDO_MS = 8_000

interface Props {
  grant: GrantInfo
  /** The server lists the grant again. */
  isBack: boolean
  announce: (words: string) => void
  onOver: () => void
}

/**
 * The grant is already revoked: undo sets it again. The row that had the focus is gone, so the focus moves here until
 * the row is back.
 */
export function Undo({ grant, isBack, announce, onOver }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isUndone, setUndone] = useState(false)
  const { isBusy, problem, run } = useOutcome()
  useEffect(() => button.current?.focus(), [])
  useEffect(() => {
    if (isUndone && isBack) onOver()
  }, [isUndone, isBack])
  usePatience(holder, onOver)
  const undo = async () => {
    if (!(await run({ type: 'set_grant', grant: wish(grant) }))) return
    announce(say('is_back', grantName(grant)))
    setUndone(true)
  }
  return (
    <div id="undo" class="undo" ref={holder} onKeyDown={(event) => event.key === 'Escape' && onOver()}>
      <p role={problem ? 'alert' : undefined}>
        {problem || sayWith(grant.scope === 'hour' ? 'is_revoked_hour' : 'is_revoked', <b>{grant.host}</b>)}
      </p>
      <button type="button" class="button" ref={button} aria-disabled={isBusy} onClick={() => void undo()}>
        {say('undo')}
        <span class="unseen"> {say('undo_revoking', grantName(grant))}</span>
      </button>
    </div>
  )
}

function usePatience(holder: RefObject<HTMLElement | null>, end: () => void): void {
  const last = useRef(end)
  last.current = end
  useEffect(() => {
    const timer = setInterval(() => {
      if (!holder.current?.matches(':hover, :has(:focus-visible)')) last.current()
    }, UNDO_MS)
    return () => clearInterval(timer)
  }, [])
}
