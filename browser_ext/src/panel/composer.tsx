import { type StateUpdater, useEffect, useRef, useState } from 'preact/hooks'
import { MESSAGE_CHARACTERS } from '../frames'
import { stored } from '../stored'
import type { Turn } from '../turns'
import { command } from './background_link'
import { SharePage } from './share_page'
import { useSharing } from './use_sharing'

const SAVE_MS = 250

/** Where the owner writes. The draft outlives the panel. */
export function Composer({ turns, server }: { turns: Turn[]; server: string }) {
  const [text, setText] = useDraft()
  const sharing = useSharing()
  const isReading = sharing.isOn && !sharing.page
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => grow(field.current), [text])
  useEffect(() => whenResized(() => grow(field.current)), [])
  const send = async () => {
    if (!text.trim() || isReading) return
    setText('')
    const outcome = await command({ type: 'send', text, ...(sharing.page && { page: sharing.page }) })
    setProblem(outcome.ok ? '' : outcome.message)
    if (outcome.ok) void sharing.include(false)
    else setText((since) => (since ? `${text}\n${since}` : text))
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <footer class="composer">
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <SharePage sharing={sharing} server={server} />
      <div class="box">
        <textarea
          id="composer"
          ref={field}
          class="field"
          rows={1}
          aria-label="Message to Penny"
          placeholder="Ask Penny"
          maxLength={MESSAGE_CHARACTERS}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {turns.length > 0 && <Stop turns={turns} />}
        <button id="send" type="button" class="button primary" disabled={!text.trim() || isReading} onClick={() => void send()}>
          Send
        </button>
      </div>
    </footer>
  )
}

/** Stops the turn that began last. */
function Stop({ turns }: { turns: Turn[] }) {
  const stop = () => {
    const turn = turns.at(-1)
    if (turn) void command({ type: 'cancel', turn_id: turn.turn_id })
  }
  return (
    <button id="stop" type="button" class="button" aria-label="Stop answering" title="Stop" onClick={stop}>
      <span class="square" aria-hidden="true" />
    </button>
  )
}

function useDraft(): [string, (text: StateUpdater<string>) => void] {
  const [text, setText] = useState('')
  const isTouched = useRef(false)
  useEffect(() => {
    void stored.draft.getValue().then((draft) => !isTouched.current && setText(draft))
  }, [])
  useEffect(() => {
    if (!isTouched.current) return
    const timer = setTimeout(() => void stored.draft.setValue(text), text ? SAVE_MS : 0)
    return () => clearTimeout(timer)
  }, [text])
  const change = (next: StateUpdater<string>) => {
    isTouched.current = true
    setText(next)
  }
  return [text, change]
}

/** Returns what stops listening. */
function whenResized(react: () => void): () => void {
  addEventListener('resize', react)
  return () => removeEventListener('resize', react)
}

function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}
