import { useState } from 'preact/hooks'
import { command } from '../panel/background_link'
import { useOutcome } from './use_outcome'

interface Props {
  label: string
  server: string
  toolUse: boolean
}

export function Browser({ label, server, toolUse }: Props) {
  return (
    <section class="part" aria-labelledby="browser">
      <h2 id="browser">This browser</h2>
      <Rename label={label} />
      <label class="switch">
        <input
          id="tool-use"
          type="checkbox"
          role="switch"
          checked={toolUse}
          onChange={(event) => void command({ type: 'set_tool_use', on: event.currentTarget.checked })}
        />
        <span>
          Let Penny read pages here
          <small>Only on sites that you allowed. Off holds at once, connected or not.</small>
        </span>
      </label>
      <dl class="server">
        <dt>Penny’s address</dt>
        <dd>
          <a id="server" href={`${server}/`} target="_blank" rel="noopener">
            {server}
          </a>
          <small>To use another one, unpair this browser and pair it there.</small>
        </dd>
      </dl>
    </section>
  )
}

/** What stands in the field is the owner's while it is being changed, and the server's otherwise. */
function Rename({ label }: { label: string }) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, run } = useOutcome()
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    setSaved(false)
    if (!(await run({ type: 'rename', label: typed ?? label }))) return
    setTyped((shown) => (shown === typed ? null : shown))
    setSaved(true)
  }
  const onInput = (text: string) => {
    setSaved(false)
    setTyped(text)
  }
  return (
    <form id="rename" class="rename" onSubmit={(event) => void onSubmit(event)} noValidate>
      <label for="label">Name of this browser</label>
      <div class="line">
        <input
          id="label"
          class="field"
          maxLength={64}
          autocomplete="off"
          aria-invalid={problem !== ''}
          aria-describedby="rename-outcome"
          value={typed ?? label}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <button id="rename-save" class="button" aria-disabled={isBusy}>
          {isBusy ? 'Saving' : 'Save'}
        </button>
      </div>
      <p id="rename-outcome" class={problem ? 'problem' : 'saved'} role={problem ? 'alert' : 'status'}>
        {problem || (isSaved && typed === null ? 'Saved.' : '')}
      </p>
    </form>
  )
}
