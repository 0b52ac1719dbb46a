import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { MESSAGE_CHARACTERS } from '../server/frames'
import { say } from '../say'
import { stored } from '../state/stored'
import type { Outcome } from '../state/panel_state'
import type { Proposal } from '../state/proposal'
import type { Message, Page } from '../protocol.gen'
import type { Turn } from '../state/turns'
import { sendCommand } from '../own_pages/background_link'
import { Completions } from './completions'
import { useWrittenInto } from '../conversation/into_composer'
import { AttachButton, Attached, useAttaching } from './attachments'
import { Quoted } from '../conversation/quoted'
import { Passage, SharePage } from './share_page'
import { useKept } from './use_kept'
import { useProposal } from './use_proposal'
import { useSharing } from './use_sharing'

const SAVE_MS = 250

interface ComposerProps {
  turns: Turn[]
  server: string
  isTemporary: boolean
  /** What the next message replies to. */
  quotedMessage: Message | null
  onQuote: (message: Message | null) => void
  proposal: Proposal | null
}

/** Where the owner writes. The draft outlives the panel, with its files, what it replies to and what it is about. */
export function Composer({ turns, server, isTemporary: isKeptTemporary, quotedMessage, onQuote, proposal }: ComposerProps) {
  const [text, setText] = useKept(stored.draft, '', (draft) => (draft ? SAVE_MS : 0))
  const [aside, setAside] = useKept(stored.draftAside, '')
  const replacing = useRef('')
  const sharing = useSharing()
  const [passage, setPassage] = useKept<Page | null>(stored.draftPassage, null)
  const [isSummarising, setSummarising] = useState(false)
  const [isTemporary, setTemporary] = useState(isKeptTemporary)
  useEffect(() => setTemporary(isKeptTemporary), [isKeptTemporary])
  const along = isTemporary ? { temporary: true } : {}
  const attaching = useAttaching()
  const isReading = sharing.isOn && !sharing.page
  const canSend = !isReading && (text.trim() !== '' || attaching.files.length > 0)
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => grow(field.current), [text])
  useLayoutEffect(() => void performance.mark('penny.interactive'), []) // tests/bench/panel.py
  useEffect(() => whenResized(() => grow(field.current)), [])
  useEffect(() => {
    if (!quotedMessage) return
    field.current?.focus()
    if (!isTemporary) return
    onQuote(null)
    setProblem(say('temporary_no_reply'))
  }, [quotedMessage, isTemporary])
  const page = passage ?? sharing.page
  const tell = (outcome: Outcome) => setProblem(outcome.ok ? '' : outcome.message)
  const send = async () => {
    if (!canSend) return
    setText('')
    field.current?.focus() // not when it is sent: the owner may have gone elsewhere by then
    const outcome = await sendCommand({ type: 'send', text: text.trim() ? text : say('files_question'), ...(page && { page }), ...(quotedMessage && { parent_id: quotedMessage.id }), ...(attaching.files.length > 0 && { attachments: attaching.files }), ...along })
    tell(outcome)
    if (outcome.ok) {
      onQuote(null)
      bringBack()
      setPassage(null)
      attaching.clear()
      void sharing.include(false)
    } else setText((since) => (since ? `${text}\n${since}` : text))
  }
  const summarise = async (tabId?: number) => {
    setSummarising(true)
    field.current?.focus()
    const outcome = await sharing.readPage(tabId)
    tell(outcome.ok && outcome.page ? await sendCommand({ type: 'send', text: say('summary'), page: outcome.page, ...along }) : outcome)
    setSummarising(false)
  }
  const replace = (words: string) => {
    const own = text === replacing.current ? '' : text
    setAside([aside, own].filter((draft) => draft.trim()).join('\n'))
    replacing.current = words
    setText(words)
    field.current?.focus()
  }
  const bringBack = () => {
    setText((since) => [aside, since].filter(Boolean).join('\n'))
    setAside('')
  }
  const type = (value: string) => {
    setText(value || aside)
    if (!value) setAside('')
  }
  useWrittenInto(field, replace)
  const turnTemporary = () => {
    setTemporary(!isTemporary) // at once: what is sent in the next moment is what the button says
    void sendCommand({ type: 'set_temporary', on: !isTemporary })
  }
  const take = ({ text: words, page: about, file, wants, tabId, problem: reason }: Proposal) => {
    setProblem(reason ?? '')
    if (about) setPassage(about)
    if (file) attaching.addReady(file)
    if (words && about) replace(words) // it is the whole of what is asked about a passage
    else if (words) setText((since) => (since ? `${since}\n${words}` : words))
    if (wants === 'summary') void summarise(tabId)
    if (wants === 'page' && tabId === sharing.tab?.id) void sharing.include(true)
    else if (wants === 'page') setProblem(say('propose_gone'))
    field.current?.focus()
  }
  useProposal(proposal, sharing.tab !== null || !proposal?.wants, take)
  const onPaste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    void attaching.add(files)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    void attaching.add([...(event.dataTransfer?.files ?? [])])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <footer class="composer" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      {(problem || attaching.problem) && (
        <p class="problem" role="alert">
          {problem || attaching.problem}
        </p>
      )}
      {quotedMessage && (
        <div class="replies">
          <Quoted message={quotedMessage} />
          <button id="quote-off" type="button" class="button quiet" aria-label={say('quote_off')} title={say('quote_off')} onClick={() => (onQuote(null), field.current?.focus())}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
      {passage ? (
        <Passage page={passage} onLeave={() => (setPassage(null), field.current?.focus())} />
      ) : (
        <SharePage sharing={sharing} server={server} isSummarising={isSummarising} onSummarise={() => void summarise()} />
      )}
      {aside && <p class="aside">{say('draft_aside')}</p>}
      <Attached attaching={attaching} />
      <Completions field={field} />
      <div class="box">
        <textarea
          id="composer"
          ref={field}
          class="field"
          rows={1}
          aria-label={say('composer_label')}
          placeholder={say('composer_placeholder')}
          maxLength={MESSAGE_CHARACTERS}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {turns.length > 0 && <Stop turns={turns} />}
        <button id="send" type="button" class="button primary" disabled={!canSend} onClick={() => void send()}>
          {say('composer_send')}
        </button>
      </div>
      <div class="with">
        <AttachButton attaching={attaching} />
        <button id="temporary" type="button" class="button quiet" aria-pressed={isTemporary} aria-describedby="temporary-what" onClick={turnTemporary}>
          {say('temporary')}
        </button>
        <span id="temporary-what" class={isTemporary ? 'what' : 'unseen'}>
          {say('temporary_what')}
        </span>
      </div>
    </footer>
  )
}

/** Stops the turn that began last. */
function Stop({ turns }: { turns: Turn[] }) {
  const stop = () => {
    const turn = turns.at(-1)
    if (turn) void sendCommand({ type: 'cancel', turn_id: turn.turn_id })
  }
  return (
    <button id="stop" type="button" class="button" aria-label={say('composer_stop_label')} title={say('composer_stop')} onClick={stop}>
      <span class="square" aria-hidden="true" />
    </button>
  )
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
