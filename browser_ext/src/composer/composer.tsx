import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Quoted } from '../conversation/quoted'
import { useWrittenInto } from '../conversation/into_composer'
import { sendCommand } from '../own_pages/background_link'
import type { Message, Page } from '../protocol.gen'
import { say } from '../say'
import { MESSAGE_CHARACTERS } from '../server/frames'
import type { Proposal } from '../state/proposal'
import { stored } from '../state/stored'
import type { Turn } from '../state/turns'
import { AttachButton, Attached, attachDropped, attachPasted, useAttaching } from './attachments'
import { Completions } from './completions'
import { Passage, SharePage } from './share_page'
import { useDraft } from './use_draft'
import { useKept } from './use_kept'
import { useProposal } from './use_proposal'
import { useSending, type Parts, type Sending } from './use_sending'
import { useSharing } from './use_sharing'
import { useTemporary } from './use_temporary'

interface ComposerProps {
  turns: Turn[]
  server: string
  isTemporary: boolean
  quotedMessage: Message | null
  onQuote: (message: Message | null) => void
  proposal: Proposal | null
}

/** Where the owner writes. The draft outlives the panel, with its files, its passage and the quoted message. */
export function Composer({
  turns,
  server,
  isTemporary: isStoredTemporary,
  quotedMessage,
  onQuote,
  proposal,
}: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft()
  const sharing = useSharing()
  const [passage, setPassage] = useKept<Page | null>(stored.draftPassage, null)
  const [isTemporary, turnTemporary] = useTemporary(isStoredTemporary)
  const attaching = useAttaching()
  const parts: Parts = { field, draft, sharing, attaching, passage, setPassage, isTemporary, quotedMessage, onQuote }
  const sending = useSending(parts)
  useHeight(field, draft.text)
  useLayoutEffect(() => void performance.mark('penny.interactive'), []) // tests/bench/panel.py
  useReplies(parts, sending)
  useWrittenInto(field, (words) => replaceDraft(parts, words))
  useProposal(proposal, sharing.tab !== null || !proposal?.wants, (chosenThing) =>
    takeProposal(chosenThing, parts, sending),
  )
  const problem = sending.problem || attaching.problem
  const focus = () => field.current?.focus()
  return (
    <footer
      class="composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => attachDropped(attaching, event)}
    >
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {quotedMessage && <Replies message={quotedMessage} onOff={() => (onQuote(null), focus())} />}
      {passage ? (
        <Passage page={passage} onLeave={() => (setPassage(null), focus())} />
      ) : (
        <SharePage
          sharing={sharing}
          server={server}
          isSummarising={sending.isSummarising}
          onSummarise={() => void sending.summarise()}
        />
      )}
      {draft.aside && <p class="aside">{say('draft_aside')}</p>}
      <Attached attaching={attaching} />
      <Completions field={field} />
      <Box parts={parts} sending={sending} turns={turns} />
      <div class="with">
        <AttachButton attaching={attaching} />
        <TemporaryButton isOn={isTemporary} turn={turnTemporary} />
      </div>
    </footer>
  )
}

function replaceDraft({ draft, field }: Parts, words: string): void {
  draft.replace(words)
  field.current?.focus()
}

/** Take what the owner chose outside the panel: words, a page, a file, or a wish to read their tab. */
function takeProposal({ text, page, file, wants, tabId, problem }: Proposal, parts: Parts, sending: Sending): void {
  const { draft, sharing, attaching, field, setPassage } = parts
  sending.setProblem(problem ?? '')
  if (page) setPassage(page)
  if (file) attaching.addReady(file)
  if (text && page)
    replaceDraft(parts, text) // with a passage, the words are the whole question
  else if (text) draft.append(text)
  if (wants === 'summary') void sending.summarise(tabId)
  if (wants === 'page' && tabId === sharing.tab?.id) void sharing.include(true)
  else if (wants === 'page') sending.setProblem(say('propose_gone'))
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

function Box({
  parts: { field, draft, attaching },
  sending: { canSend, send },
  turns,
}: {
  parts: Parts
  sending: Sending
  turns: Turn[]
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div class="box">
      <textarea
        id="composer"
        ref={field}
        class="field"
        rows={1}
        aria-label={say('composer_label')}
        placeholder={say('composer_placeholder')}
        maxLength={MESSAGE_CHARACTERS}
        value={draft.text}
        onInput={(event) => draft.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => attachPasted(attaching, event)}
      />
      {turns.length > 0 && <Stop turns={turns} />}
      <button id="send" type="button" class="button primary" disabled={!canSend} onClick={() => void send()}>
        {say('composer_send')}
      </button>
    </div>
  )
}

function TemporaryButton({ isOn, turn }: { isOn: boolean; turn: () => void }) {
  return (
    <>
      <button
        id="temporary"
        type="button"
        class="button quiet"
        aria-pressed={isOn}
        aria-describedby="temporary-what"
        onClick={turn}
      >
        {say('temporary')}
      </button>
      <span id="temporary-what" class={isOn ? 'what' : 'unseen'}>
        {say('temporary_what')}
      </span>
    </>
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
    box.style.height = `${box.scrollHeight + 2}px`
  }
  useEffect(grow, [text])
  useEffect(() => {
    addEventListener('resize', grow)
    return () => removeEventListener('resize', grow)
  }, [])
}
