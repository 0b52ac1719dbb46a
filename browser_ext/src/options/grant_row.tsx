import { useState } from 'preact/hooks'
import type { GrantInfo } from '../protocol.gen'
import { say } from '../say'
import { useOutcome, type Doing } from '../own_pages/use_outcome'
import { factsOf, isLasting, isPunycode, LOGINS, grantName, SESSIONS, STATES, wish } from './words'

interface Props {
  grant: GrantInfo
  now: Date
  announce: (words: string) => void
  onRevoked: () => void
}

/** One grant. The row changes when the server says so, not on a click. */
export function GrantRow({ grant, now, announce, onRevoked }: Props) {
  const doing = useOutcome()
  return (
    <li
      class="grant"
      data-host={grant.host}
      data-capability={grant.capability}
      data-state={grant.state}
      aria-busy={doing.isBusy}
    >
      <div class="what">
        <p class="host">
          <b>{grant.host}</b>{' '}
          <span class={`chip ${grant.state === 'allowed' ? 'ok' : 'stop'}`}>{say(STATES[grant.state])}</span>
          {isPunycode(grant.host) && <span class="chip warn">{say('other_letters')}</span>}
        </p>
        <p class="facts">{grant.scope === 'hour' ? say('new_hour', factsOf(grant, now)) : factsOf(grant, now)}</p>
      </div>
      <div class="does">
        {isLasting(grant) && <Changes grant={grant} doing={doing} announce={announce} />}
        <Revoke grant={grant} doing={doing} onRevoked={onRevoked} />
      </div>
      {doing.problem && (
        <p class="problem" role="alert">
          {doing.problem}
        </p>
      )}
    </li>
  )
}

function Changes({ grant, doing, announce }: { grant: GrantInfo; doing: Doing; announce: (words: string) => void }) {
  const changeGrant = async (change: Partial<GrantInfo>, words: string) => {
    const isSet = await doing.run({ type: 'set_grant', grant: wish({ ...grant, ...change }) })
    if (isSet) announce(say('change_done', grantName(grant), words))
  }
  const other = grant.state === 'allowed' ? 'blocked' : 'allowed'
  return (
    <>
      {grant.state === 'allowed' && (
        <Session
          grant={grant}
          isBusy={doing.isBusy}
          onChosen={(session) => void changeGrant({ session }, say(LOGINS[session]))}
        />
      )}
      <button
        type="button"
        class="button"
        data-action="state"
        aria-disabled={doing.isBusy}
        onClick={() => void changeGrant({ state: other }, say(other === 'blocked' ? 'now_blocked' : 'now_allowed'))}
      >
        {say(other === 'blocked' ? 'decision_block' : 'decision_allow')}
        <span class="unseen"> {grantName(grant)}</span>
      </button>
    </>
  )
}

interface SessionProps {
  grant: GrantInfo
  isBusy: boolean
  onChosen: (session: GrantInfo['session']) => void
}

function Session({ grant, isBusy, onChosen }: SessionProps) {
  const onChange = (select: HTMLSelectElement) => {
    const session = select.value as GrantInfo['session']
    select.value = grant.session // until the server confirms it
    onChosen(session)
  }
  return (
    <select
      class="field"
      aria-label={say('logins_for', grantName(grant))}
      aria-disabled={isBusy}
      value={grant.session}
      onChange={(event) => onChange(event.currentTarget)}
    >
      {Object.entries(SESSIONS).map(([session, words]) => (
        <option key={session} value={session}>
          {say(words)}
        </option>
      ))}
    </select>
  )
}

/** A lasting grant can be restored. A grant of one question cannot, so revoking it is confirmed first. */
function Revoke({ grant, doing, onRevoked }: { grant: GrantInfo; doing: Doing; onRevoked: () => void }) {
  const [isAsked, ask] = useState(false)
  const revoke = async () => {
    const { host, capability } = grant
    if (!isAsked && !isLasting(grant)) ask(true)
    else if (await doing.run({ type: 'revoke_grant', grant: { host, capability } })) onRevoked()
  }
  return (
    <button
      type="button"
      class="button quiet"
      data-action="revoke"
      aria-disabled={doing.isBusy}
      onClick={() => void revoke()}
    >
      {say(isAsked ? 'revoke_sure' : 'revoke')}
      <span class="unseen"> {grantName(grant)}</span>
    </button>
  )
}
