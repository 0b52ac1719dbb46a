import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { PERMISSION } from '../history/permission'
import { useOutcome } from './use_outcome'
import { say, type Key } from '../say'
import { Buttons } from './buttons'

export interface CurrentSettings {
  toolUse: boolean
  sharesHistory: boolean
}

interface Props {
  settings: CurrentSettings
  onDone: () => void
  children: ComponentChildren
}

/**
 * What Penny is for. Each box names the setting that it changes. Nothing changes before the owner presses the button.
 */
export function Purpose({ settings, onDone, children }: Props) {
  const [answers, setAnswers] = useState(settings.toolUse)
  const [finds, setFinds] = useState(true)
  const [learns, setLearns] = useState(settings.sharesHistory)
  const [likes, setLikes] = useState('')
  const { isBusy, problem, run } = useOutcome()
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    const begins = learns && !settings.sharesHistory
    // The browser grants permissions only within a click.
    if (begins)
      await browser.permissions
        .request(PERMISSION)
        .catch((failure: unknown) => console.warn('Penny: not asked', failure))
    if (answers !== settings.toolUse) await run({ type: 'set_tool_use', on: answers })
    if (learns !== settings.sharesHistory && !(await run({ type: 'set_history', on: learns }))) return
    if (await run({ type: 'set_purpose', thinks: finds, likes: finds ? nonEmptyLines(likes) : [] })) onDone()
  }
  return (
    <form id="purpose" onSubmit={(event) => void onSubmit(event)} noValidate>
      <Box
        id="purpose-answers"
        words="purpose_answers"
        sets="purpose_answers_sets"
        isOn={answers}
        onChange={setAnswers}
      />
      <Box id="purpose-finds" words="purpose_finds" sets="purpose_finds_sets" isOn={finds} onChange={setFinds} />
      {finds && <Likes likes={likes} onInput={setLikes} />}
      <Box id="purpose-learns" words="purpose_learns" sets="purpose_learns_sets" isOn={learns} onChange={setLearns} />
      <p class="later">{say('purpose_later')}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <Buttons>
        <button id="first-done" class="button primary" aria-disabled={isBusy}>
          {say(isBusy ? 'saving' : 'done')}
        </button>
        {children}
      </Buttons>
    </form>
  )
}

interface BoxProps {
  id: string
  words: Key
  sets: Key
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Box({ id, words, sets, isOn, onChange }: BoxProps) {
  return (
    <label class="purpose" for={id}>
      <input id={id} type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {say(words)}
        <small>{say(sets)}</small>
      </span>
    </label>
  )
}

function Likes({ likes, onInput }: { likes: string; onInput: (likes: string) => void }) {
  return (
    <div class="likes">
      <label for="likes">{say('purpose_likes')}</label>
      <textarea
        id="likes"
        class="field"
        rows={3}
        placeholder={say('purpose_likes_example')}
        value={likes}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  )
}

function nonEmptyLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
