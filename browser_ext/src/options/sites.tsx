import { useEffect, useRef, useState } from 'preact/hooks'
import type { GrantInfo } from '../protocol.gen'
import { say, sayWith } from '../say'
import { AddGrant } from './add_grant'
import { GrantRow } from './grant_row'
import { save } from './save'
import { Undo } from './undo'
import { useFocusKept } from './use_focus_kept'
import { countOf, exportText, fileName, grantsMatching, isLasting, grantName } from './words'

const CLOCK_MS = 20_000

interface Props {
  /** As the server last sent them. Nothing else is shown. */
  grants: GrantInfo[]
  isConnected: boolean
  server: string
}

export function Sites({ grants, isConnected, server }: Props) {
  const [announcement, announce] = useState('')
  return (
    <section class="part" aria-labelledby="sites">
      <h2 id="sites">{say('sites')}</h2>
      <p>{say('sites_lead')}</p>
      {!isConnected && <Away isEmpty={grants.length === 0} />}
      <AddGrant announce={announce} />
      <List grants={grants} isConnected={isConnected} announce={announce} />
      {grants.length > 0 && <Export grants={grants} server={server} />}
      <p class="unseen" aria-live="polite">
        {announcement}
      </p>
    </section>
  )
}

function Away({ isEmpty }: { isEmpty: boolean }) {
  return (
    <p id="away" class="note warn">
      {say(isEmpty ? 'sites_away_empty' : 'sites_away')}
    </p>
  )
}

function List({ grants, isConnected, announce }: Omit<Props, 'server'> & { announce: (words: string) => void }) {
  const [query, setTyped] = useState('')
  const [revokedGrant, setRevoked] = useState<GrantInfo | null>(null)
  const holder = useRef<HTMLDivElement>(null)
  const now = useClock()
  useFocusKept(holder, 'grant-host')
  const matches = grantsMatching(grants, query)
  const isThere = (grantBefore: GrantInfo) => grants.some((grant) => keyOf(grant) === keyOf(grantBefore))
  const onRevoked = (grant: GrantInfo) => {
    announce(say('revoked', grantName(grant)))
    setRevoked(isLasting(grant) ? grant : null)
  }
  return (
    <div ref={holder}>
      {grants.length > 0 && <Search query={query} setTyped={setTyped} count={countOf(matches.length, grants.length)} />}
      {matches.length > 0 && (
        <ul id="grants" class="grants" aria-label={say('sites')}>
          {matches.map((grant) => (
            <GrantRow
              key={keyOf(grant)}
              grant={grant}
              now={now}
              announce={announce}
              onRevoked={() => onRevoked(grant)}
            />
          ))}
        </ul>
      )}
      {matches.length === 0 && grants.length > 0 && <NotFound query={query} clear={() => setTyped('')} />}
      {grants.length === 0 && isConnected && <Empty />}
      {revokedGrant && (
        <Undo
          key={revokedKey(revokedGrant)}
          grant={revokedGrant}
          isBack={isThere(revokedGrant)}
          announce={announce}
          onOver={() => setRevoked(null)}
        />
      )}
    </div>
  )
}

function Search({ query, setTyped, count }: { query: string; setTyped: (query: string) => void; count: string }) {
  return (
    <div class="search">
      <input
        id="search"
        type="search"
        class="field"
        aria-label={say('sites_search')}
        placeholder={say('search')}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <span role="status">{count}</span>
    </div>
  )
}

function Empty() {
  return (
    <p id="empty" class="empty">
      {sayWith('sites_none_help', <b>{say('sites_none')}</b>)}
    </p>
  )
}

function NotFound({ query, clear }: { query: string; clear: () => void }) {
  return (
    <p id="empty" class="empty">
      {say('sites_not_found', query.trim())}{' '}
      <button type="button" class="button quiet" onClick={clear}>
        {say('show_all')}
      </button>
    </p>
  )
}

function Export({ grants, server }: { grants: GrantInfo[]; server: string }) {
  const saveAll = () => save(fileName(new Date()), exportText(grants, server, new Date()))
  return (
    <button id="export" type="button" class="button" onClick={saveAll}>
      {say('sites_export')}
    </button>
  )
}

/** Expiry times pass while the page is open. */
function useClock(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

function keyOf(grant: GrantInfo): string {
  return isLasting(grant)
    ? `${grant.host} ${grant.capability}`
    : `${grant.host} ${grant.capability} ${grant.scope} ${grant.expires_at ?? null}`
}

function revokedKey(grant: GrantInfo): string {
  return `${grant.host} ${grant.capability} ${grant.expires_at ?? null}`
}
