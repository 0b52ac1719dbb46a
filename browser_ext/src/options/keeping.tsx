import { useState } from 'preact/hooks'
import type { GrantInfo } from '../protocol.gen'
import type { PanelState } from '../state/panel_state'
import type { KeepMode } from '../state/stored'
import { say, sayCount, type Key } from '../say'
import { useOutcome } from '../own_pages/use_outcome'

interface Props {
  keepMode: PanelState['keepMode']
  /** What the owner chose and left out. */
  grants: GrantInfo[]
  server: string
}

const MODES: Record<KeepMode, Key> = { off: 'keeping_off', sites: 'keeping_sites', all: 'keeping_all' }

/** Which pages this browser keeps by itself. It is switched on after the owner read what that means. */
export function Keeping({ keepMode, grants, server }: Props) {
  const [wish, setWish] = useState<KeepMode | null>(null)
  const { isBusy, problem, run } = useOutcome()
  const { mode, dropped } = keepMode
  const turn = async (next: KeepMode) => {
    if (await run({ type: 'set_keeping', mode: next })) setWish(null)
  }
  const choose = (next: KeepMode) => {
    const isMore = next !== 'off' && (mode === 'off' || next === 'all')
    if (isMore) setWish(next)
    else void turn(next)
  }
  return (
    <section class="part" aria-labelledby="keeping">
      <h2 id="keeping">{say('keeping')}</h2>
      <p>{say('keeping_lead')}</p>
      <div class="choices" role="radiogroup" aria-labelledby="keeping">
        {Object.entries(MODES).map(([name, words]) => (
          <label key={name} class="choice">
            <input
              id={`keeping-${name}`}
              type="radio"
              name="keeping"
              checked={(wish ?? mode) === name}
              onChange={() => choose(name as KeepMode)}
            />
            <span>{say(words)}</span>
          </label>
        ))}
      </div>
      {wish && <Meaning mode={wish} isBusy={isBusy} onYes={() => void turn(wish)} onNo={() => setWish(null)} />}
      <p id="keeping-problem" class="problem" role="alert">
        {problem}
      </p>
      {mode !== 'off' && <Sites grants={grants} mode={mode} />}
      {dropped > 0 && <p class="facts">{sayCount('keeping_dropped', dropped)}</p>}
      <p>
        <a id="kept-pages" href={`${server}/kept/`} target="_blank" rel="noopener">
          {say('keeping_see')}
        </a>
      </p>
    </section>
  )
}

interface MeaningProps {
  mode: KeepMode
  isBusy: boolean
  onYes: () => void
  onNo: () => void
}

/** What the owner reads before it is switched on. All sites are switched on by a sentence that says so. */
function Meaning({ mode, isBusy, onYes, onNo }: MeaningProps) {
  return (
    <div class="note" id="keeping-meaning">
      <dl>
        <dt>{say('keeping_what')}</dt>
        <dd>{say('keeping_what_help')}</dd>
        <dt>{say('keeping_never')}</dt>
        <dd>{say('keeping_never_help')}</dd>
        <dt>{say('keeping_long')}</dt>
        <dd>{say('keeping_long_help')}</dd>
        <dt>{say('keeping_delete')}</dt>
        <dd>{say('keeping_delete_help')}</dd>
      </dl>
      <div class="line">
        <button id="keeping-yes" type="button" class="button primary" aria-disabled={isBusy} onClick={onYes}>
          {say(mode === 'all' ? 'keeping_yes_all' : 'keeping_yes')}
        </button>
        <button id="keeping-no" type="button" class="button quiet" onClick={onNo}>
          {say('keeping_no')}
        </button>
      </div>
    </div>
  )
}

function Sites({ grants, mode }: { grants: GrantInfo[]; mode: KeepMode }) {
  const [host, setHost] = useState('')
  const { isBusy, problem, run } = useOutcome()
  const state = mode === 'all' ? 'blocked' : 'allowed'
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    const grant = { host, capability: 'keep', state, scope: 'always' } as const
    if (await run({ type: 'set_grant', grant })) setHost('')
  }
  const remove = ({ host, capability }: GrantInfo) => run({ type: 'revoke_grant', grant: { host, capability } })
  return (
    <>
      <form id="keep-add" class="line" onSubmit={(event) => void onSubmit(event)} noValidate>
        <label for="keep-host">{say(mode === 'all' ? 'keeping_leave_out' : 'keeping_choose')}</label>
        <input
          id="keep-host"
          class="field"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder="example.com"
          value={host}
          onInput={(event) => setHost(event.currentTarget.value)}
        />
        <button id="keep-add-site" class="button" aria-disabled={isBusy}>
          {say(isBusy ? 'saving' : 'add')}
        </button>
      </form>
      <p class="problem" role="alert">
        {problem}
      </p>
      {grants.length > 0 && (
        <ul id="keep-sites" class="grants" aria-label={say('keeping_list')}>
          {grants.map((grant) => (
            <li key={grant.host} class="grant" data-host={grant.host} data-state={grant.state}>
              <p class="host">
                <b>{grant.host}</b>{' '}
                <span class={`chip ${grant.state === 'allowed' ? 'ok' : 'stop'}`}>
                  {say(grant.state === 'allowed' ? 'keeping_chosen' : 'keeping_left_out')}
                </span>
              </p>
              <button type="button" class="button quiet" onClick={() => void remove(grant)}>
                {say('revoke')}
                <span class="unseen"> {grant.host}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
