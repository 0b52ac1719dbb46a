import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { sendCommand } from '../own_pages/background_link'
import { say } from '../say'
import { mayTakePictures, PICTURES } from '../tools/pictures_permission'
import { useOutcome } from '../own_pages/use_outcome'

interface Props {
  label: string
  server: string
  toolUse: boolean
}

export function Browser({ label, server, toolUse }: Props) {
  return (
    <section class="part" aria-labelledby="browser">
      <h2 id="browser">{say('this_browser')}</h2>
      <Rename label={label} />
      <label class="switch">
        <input
          id="tool-use"
          type="checkbox"
          role="switch"
          checked={toolUse}
          onChange={(event) => void sendCommand({ type: 'set_tool_use', on: event.currentTarget.checked })}
        />
        <span>
          {say('tool_use')}
          <small>{say('tool_use_off_holds')}</small>
        </span>
      </label>
      <Pictures />
      <dl class="server">
        <dt>{say('server_address')}</dt>
        <dd>
          <a id="server" href={`${server}/`} target="_blank" rel="noopener">
            {server}
          </a>
          <small>{say('server_change')}</small>
        </dd>
      </dl>
    </section>
  )
}

/** The browser grants permissions only within a click. The background reads the result itself. */
function Pictures() {
  const [isOn, setOn] = useState(false)
  const { isBusy, problem, run } = useOutcome()
  const look = () => void mayTakePictures().then(setOn)
  useEffect(look, [])
  const turn = async (box: HTMLInputElement) => {
    const on = box.checked
    box.checked = isOn // until the background confirms it
    if (isBusy) return
    if (on)
      await browser.permissions.request(PICTURES).catch((failure: unknown) => console.warn('Penny: not asked', failure))
    await run({ type: 'set_pictures', on })
    look()
  }
  return (
    <label class="switch">
      <input
        id="pictures"
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-describedby="pictures-problem"
        onChange={(event) => void turn(event.currentTarget)}
      />
      <span>
        {say('pictures')}
        <small>{say('pictures_lead')}</small>
      </span>
      <span id="pictures-problem" class="problem" role="alert">
        {problem}
      </span>
    </label>
  )
}

/** The field shows the owner's text while it is edited, and the server's label otherwise. */
function Rename({ label }: { label: string }) {
  const [name, setTyped] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, run } = useOutcome()
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    setSaved(false)
    if (!(await run({ type: 'rename', label: name ?? label }))) return
    setTyped((current) => (current === name ? null : current))
    setSaved(true)
  }
  const onInput = (text: string) => {
    setSaved(false)
    setTyped(text)
  }
  return (
    <form id="rename" class="rename" onSubmit={(event) => void onSubmit(event)} noValidate>
      <label for="label">{say('browser_name')}</label>
      <div class="line">
        <input
          id="label"
          class="field"
          maxLength={64}
          autocomplete="off"
          aria-invalid={problem !== ''}
          aria-describedby="rename-outcome"
          value={name ?? label}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <button id="rename-save" class="button" aria-disabled={isBusy}>
          {say(isBusy ? 'saving' : 'save')}
        </button>
      </div>
      <p id="rename-outcome" class={problem ? 'problem' : 'saved'} role={problem ? 'alert' : 'status'}>
        {problem || (isSaved && name === null ? say('saved') : '')}
      </p>
    </form>
  )
}
