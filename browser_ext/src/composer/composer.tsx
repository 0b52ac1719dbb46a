import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Quoted } from '../conversation/message/quoted'
import { Icon } from '../conversation/icon'
import { useWrittenInto } from '../conversation/into_composer'
import { sendCommand } from '../conversation/host'
import { isComposed } from '../is_composed'
import type { Message } from '../protocol.gen'
import { say } from '../say'
import { MESSAGE_CHARACTERS } from '../server/frames'
import type { PanelState } from '../state/panel_state'
import type { Turn } from '../state/turns'
import type { Along } from './along'
import { AttachButton, Attached, Beside, takeDropped, takePasted, useAttaching } from './attachments'
import { FilesOnTheirWay, isKeepable, KeepInstead, useKeepingFiles } from './keep_files'
import { Completions } from './completions'
import { ModeState, ModeSwitch, useMode } from './mode'
import { useDraft } from './use_draft'
import { useSending, type Parts, type Sending } from './use_sending'
import { useTemporary } from './use_temporary'

interface ComposerProps {
  turns: Turn[]
  server: string
  isTemporary: boolean
  obstacle: PanelState['obstacle']
  quotedMessage: Message | null
  onQuote: (message: Message | null) => void
  along: Along
  /** What the host shows above the field. */
  above: (parts: Parts, sending: Sending) => ComponentChildren
  /** What the host shows beside the field while nothing is written or answered. */
  beside?: (parts: Parts, sending: Sending) => ComponentChildren
  /** What the host shows in the bar below the field. */
  inBar?: (parts: Parts) => ComponentChildren
}

/** Where the owner writes. The draft outlives the page, with its files and the quoted message. */
export function Composer({
  turns,
  server,
  obstacle,
  isTemporary: isStoredTemporary,
  quotedMessage,
  onQuote,
  along,
  above,
  beside,
  inBar,
}: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isDraggedOut = useRef(false)
  const draft = useDraft()
  const [isTemporary, turnTemporary] = useTemporary(isStoredTemporary)
  const mode = useMode(obstacle, isTemporary)
  const attaching = useAttaching()
  const keeping = useKeepingFiles()
  const parts: Parts = { field, draft, attaching, along, isTemporary, mode, quotedMessage, onQuote }
  const sending = useSending(parts)
  useHeight(field, draft.text)
  useLayoutEffect(() => void performance.mark('penny.interactive'), []) // tests/bench/panel.py
  useReplies(parts, sending)
  const write = (words: string) => replaceDraft(parts, words)
  useWrittenInto(field, write, (words) => (sending.isBare ? void sending.deliver(words) : write(words)))
  const problem = sending.problem || attaching.problem
  const focus = () => field.current?.focus()
  return (
    <footer
      class="composer"
      onDragOver={(event) => event.preventDefault()}
      onDragStart={() => void (isDraggedOut.current = true)}
      onDragEnd={() => void (isDraggedOut.current = false)}
      onDrop={(event) => takeDropped(attaching, event, field.current, isDraggedOut.current)}
    >
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {attaching.tooLarge && isKeepable(attaching.tooLarge) && (
        <KeepInstead
          file={attaching.tooLarge}
          onKeep={(file) => {
            attaching.closeProblem()
            keeping.keep(file)
          }}
        />
      )}
      {quotedMessage && <Replies message={quotedMessage} onOff={() => (onQuote(null), focus())} />}
      {above(parts, sending)}
      {draft.aside && <p class="aside">{say('draft_aside')}</p>}
      <Beside attaching={attaching} />
      <Attached attaching={attaching} keeping={keeping} />
      <FilesOnTheirWay keeping={keeping} />
      {/* with a key, so that a problem above is not taken for it: what stands between them would begin anew */}
      <p key="what" id="temporary-what" class={isTemporary ? 'what' : 'unseen'}>
        {say('temporary_what')}
      </p>
      <ModeState key="mode" mode={mode} server={server} onRecord={turnTemporary} />
      <Completions field={field} />
      <div class="box">
        <div class="write">
          <Field parts={parts} send={sending.send} />
          {draft.text === '' && turns.length === 0 && beside?.(parts, sending)}
        </div>
        <div class="bar">
          <AttachButton attaching={attaching} />
          <TemporaryButton isOn={isTemporary} turn={turnTemporary} />
          <ModeSwitch mode={mode} />
          {inBar?.(parts)}
          <span class="bar-end">
            {turns.length > 0 && <Stop turns={turns} />}
            <SendButton {...sending} />
          </span>
        </div>
      </div>
    </footer>
  )
}

/** Put words into the box, and what stands there aside. */
export function replaceDraft({ draft, field }: Parts, words: string): void {
  draft.replace(words)
  field.current?.focus()
}

/** A temporary message cannot reply: the server stores nothing to refer to. */
function useReplies({ field, isTemporary, quotedMessage, onQuote }: Parts, { setProblem }: Sending): void {
  useEffect(() => {
    if (!quotedMessage) return
    field.current?.focus()
    if (!isTemporary) return
    onQuote(null)
    setProblem(say('temporary_no_reply'))
  }, [quotedMessage, isTemporary])
}

function Replies({ message, onOff }: { message: Message; onOff: () => void }) {
  return (
    <div class="replies">
      <Quoted message={message} />
      <button
        id="quote-off"
        type="button"
        class="button quiet"
        aria-label={say('quote_off')}
        title={say('quote_off')}
        onClick={onOff}
      >
        <span aria-hidden="true">×</span>
      </button>
    </div>
  )
}

function Field({ parts: { field, draft, attaching, mode }, send }: { parts: Parts; send: Sending['send'] }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposed(event)) return
    event.preventDefault()
    void send()
  }
  return (
    <textarea
      id="composer"
      ref={field}
      class="field"
      dir="auto"
      rows={1}
      aria-label={say('composer_label')}
      placeholder={say(mode.isActing ? 'mode_placeholder' : 'composer_placeholder')}
      maxLength={MESSAGE_CHARACTERS}
      value={draft.text}
      onInput={(event) => draft.type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={(event) => takePasted(attaching, event, event.currentTarget)}
    />
  )
}

function SendButton({ canSend, send }: Sending) {
  return (
    <button
      id="send"
      type="button"
      class="button primary round"
      aria-label={say('composer_send')}
      title={say('composer_send')}
      disabled={!canSend}
      onClick={() => void send()}
    >
      <Icon path="M12 19V5M6 11l6-6 6 6" />
    </button>
  )
}

function TemporaryButton({ isOn, turn }: { isOn: boolean; turn: () => void }) {
  return (
    <button
      id="temporary"
      type="button"
      class="button quiet"
      aria-pressed={isOn}
      aria-describedby="temporary-what"
      aria-label={say('temporary')}
      title={say('temporary')}
      onClick={turn}
    >
      <Icon path="M3 3l18 18M10.6 5.2A10 10 0 0 1 22 12a13 13 0 0 1-3 3.7M6.5 6.6A13 13 0 0 0 2 12s4 7 10 7a9.6 9.6 0 0 0 4.6-1.2" />
    </button>
  )
}

/** Stops the turn that began last. */
function Stop({ turns }: { turns: Turn[] }) {
  const stop = () => {
    const turn = turns.at(-1)
    if (turn) void sendCommand({ type: 'cancel', turn_id: turn.turn_id })
  }
  return (
    <button
      id="stop"
      type="button"
      class="button"
      aria-label={say('composer_stop_label')}
      title={say('composer_stop')}
      onClick={stop}
    >
      <span class="square" aria-hidden="true" />
    </button>
  )
}

/** Keep the box as high as its text. */
function useHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const grow = () => {
    const box = field.current
    if (!box) return
    box.style.height = 'auto'
    box.style.height = `${box.scrollHeight}px`
  }
  useEffect(grow, [text])
  useEffect(() => {
    addEventListener('resize', grow)
    return () => removeEventListener('resize', grow)
  }, [])
}
