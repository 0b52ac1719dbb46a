import { useEffect, useRef, useState } from 'preact/hooks'
import type { GrantInfo } from '../protocol.gen'
import { AddGrant } from './add_grant'
import { GrantRow } from './grant_row'
import { save } from './save'
import { Undo } from './undo'
import { useFocusKept } from './use_focus_kept'
import { countOf, exported, fileName, found, isLasting, named } from './words'

const CLOCK_MS = 20_000

interface Props {
  /** As the server said them last: what is shown is never anything else. */
  grants: GrantInfo[]
  isConnected: boolean
  server: string
}

export function Sites({ grants, isConnected, server }: Props) {
  const [spoken, say] = useState('')
  return (
    <section class="part" aria-labelledby="sites">
      <h2 id="sites">Sites</h2>
      <p>
        Penny opens nothing that is not allowed here. What holds for a site holds for the sites below its name, until one of them has an
        entry of its own. Whatever is not listed she asks you about.
      </p>
      {!isConnected && <Away isEmpty={grants.length === 0} />}
      <AddGrant say={say} />
      <List grants={grants} isConnected={isConnected} say={say} />
      {grants.length > 0 && <Export grants={grants} server={server} />}
      <p class="unseen" aria-live="polite">
        {spoken}
      </p>
    </section>
  )
}

function Away({ isEmpty }: { isEmpty: boolean }) {
  return (
    <p id="away" class="note warn">
      Penny is not connected.{' '}
      {isEmpty
        ? 'Her list of sites comes with the connection.'
        : 'This is the list as she said it last; it can be changed when she is back.'}
    </p>
  )
}

function List({ grants, isConnected, say }: Omit<Props, 'server'> & { say: (words: string) => void }) {
  const [typed, setTyped] = useState('')
  const [revoked, setRevoked] = useState<GrantInfo | null>(null)
  const holder = useRef<HTMLDivElement>(null)
  const now = useClock()
  useFocusKept(holder, 'grant-host')
  const shown = found(grants, typed)
  const isThere = (wanted: GrantInfo) => grants.some((grant) => keyOf(grant) === keyOf(wanted))
  const onRevoked = (grant: GrantInfo) => {
    say(`${named(grant)}: revoked.`)
    setRevoked(isLasting(grant) ? grant : null)
  }
  return (
    <div ref={holder}>
      {grants.length > 0 && <Search typed={typed} setTyped={setTyped} count={countOf(shown.length, grants.length)} />}
      {shown.length > 0 && (
        <ul id="grants" class="grants" aria-label="Sites">
          {shown.map((grant) => (
            <GrantRow key={keyOf(grant)} grant={grant} now={now} say={say} onRevoked={() => onRevoked(grant)} />
          ))}
        </ul>
      )}
      {shown.length === 0 && grants.length > 0 && <NotFound typed={typed} clear={() => setTyped('')} />}
      {grants.length === 0 && isConnected && <Empty />}
      {revoked && <Undo key={revokedKey(revoked)} grant={revoked} isBack={isThere(revoked)} say={say} onOver={() => setRevoked(null)} />}
    </div>
  )
}

function Search({ typed, setTyped, count }: { typed: string; setTyped: (typed: string) => void; count: string }) {
  return (
    <div class="search">
      <input
        id="search"
        type="search"
        class="field"
        aria-label="Search sites"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <span role="status">{count}</span>
    </div>
  )
}

function Empty() {
  return (
    <p id="empty" class="empty">
      <b>No sites yet.</b> Penny asks before she opens one, and your answer stands here then.
    </p>
  )
}

function NotFound({ typed, clear }: { typed: string; clear: () => void }) {
  return (
    <p id="empty" class="empty">
      No entry contains “{typed.trim()}”.{' '}
      <button type="button" class="button quiet" onClick={clear}>
        Show all
      </button>
    </p>
  )
}

function Export({ grants, server }: { grants: GrantInfo[]; server: string }) {
  const saveAll = () => save(fileName(new Date()), exported(grants, server, new Date()))
  return (
    <button id="export" type="button" class="button" onClick={saveAll}>
      Export all as JSON
    </button>
  )
}

/** Times go by while the page is open. */
function useClock(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

function keyOf(grant: GrantInfo): string {
  return isLasting(grant) ? `${grant.host} ${grant.capability}` : `${grant.host} ${grant.capability} ${grant.scope} ${grant.expires_at}`
}

function revokedKey(grant: GrantInfo): string {
  return `${grant.host} ${grant.capability} ${grant.expires_at}`
}
