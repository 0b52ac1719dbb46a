import { useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { PERMISSION } from '../history/permission'
import type { PanelState } from '../state/panel_state'
import { say, sayCount } from '../say'
import { useOutcome } from '../own_pages/use_outcome'

interface Props {
  history: PanelState['history']
  server: string
}

export function History({ history, server }: Props) {
  return (
    <section class="part" aria-labelledby="history">
      <h2 id="history">{say('history')}</h2>
      <p>{say('history_lead')}</p>
      <Share isOn={history.on} />
      <p class="facts" id="history-waiting" role="status">
        {history.on && sayCount('history_waiting', history.waiting)}
      </p>
      <Own own={history.own} />
      <p>
        <a id="history-page" href={`${server}/history/`} target="_blank" rel="noopener">
          {say('history_delete')}
        </a>
      </p>
    </section>
  )
}

function Share({ isOn }: { isOn: boolean }) {
  const { isBusy, problem, run } = useOutcome()
  const turn = async (box: HTMLInputElement) => {
    const on = box.checked
    box.checked = isOn // until the background confirms it
    if (isBusy) return
    // The browser grants permissions only within a click. The background reads the result itself.
    if (on)
      await browser.permissions
        .request(PERMISSION)
        .catch((failure: unknown) => console.warn('Penny: not asked', failure))
    await run({ type: 'set_history', on })
  }
  return (
    <>
      <label class="switch">
        <input
          id="share-history"
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-describedby="share-problem"
          onChange={(event) => void turn(event.currentTarget)}
        />
        <span>
          {say('history_share')}
          <small>{say('history_share_asks')}</small>
        </span>
      </label>
      <p id="share-problem" class="problem" role="alert">
        {problem}
      </p>
    </>
  )
}

/** The field shows the owner's text while it is edited. */
function Own({ own }: { own: string[] }) {
  const [draft, setTyped] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, run } = useOutcome()
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    setSaved(false)
    const list = draft ?? own.join('\n')
    if (!(await run({ type: 'set_history_own', list }))) return
    setTyped((current) => (current === list ? null : current))
    setSaved(true)
  }
  const onInput = (text: string) => {
    setSaved(false)
    setTyped(text)
  }
  return (
    <form id="own" class="own" onSubmit={(event) => void onSubmit(event)} noValidate>
      <label for="own-list">{say('history_leave_out')}</label>
      <textarea
        id="own-list"
        class="field"
        rows={4}
        spellcheck={false}
        aria-describedby="own-help own-outcome"
        value={draft ?? own.join('\n')}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <small id="own-help">{say('history_leave_out_help')}</small>
      <button id="own-save" class="button" aria-disabled={isBusy}>
        {say(isBusy ? 'saving' : 'save')}
      </button>
      <p id="own-outcome" class={problem ? 'problem' : 'saved'} role={problem ? 'alert' : 'status'}>
        {problem || (isSaved ? say('saved') : '')}
      </p>
    </form>
  )
}
