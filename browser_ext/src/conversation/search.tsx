import { useEffect, useRef, useState } from 'preact/hooks'
import { plainText } from './text/plain_text'
import { snippetAround } from './text/snippet'
import type { Message } from '../protocol.gen'
import type { View } from '../state/conversation'
import { say, sayCount } from '../say'
import { sendCommand } from './host'
import { clockOf, dayOf } from './words'

const PAUSE_MS = 200

interface SearchProps {
  /** What is in view. Null where there are no threads. */
  view: View | null
  /** The address of Penny. */
  server: string
  onOpen: (message: Message) => void
  onClose: () => void
}

interface Found {
  messages: Message[]
  more: boolean
  problem: string
}

/** Searches the whole conversation, or what is in view, and leads to the message that the owner chooses. */
export function Search({ view, server, onOpen, onClose }: SearchProps) {
  const [text, setText] = useState('')
  const [isHere, setHere] = useState(false)
  const within = isHere ? view : null
  const [matches, setFound] = useState<Found | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (!text.trim()) return setFound(null)
    let isWanted = true
    const timer = setTimeout(
      () => void searchOnce(text, within, null).then((next) => isWanted && setFound(next)),
      PAUSE_MS,
    )
    return () => (clearTimeout(timer), void (isWanted = false))
  }, [text, within])
  const more = async () => matches && setFound(await searchOnce(text, within, matches))
  return (
    <div class="searching" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <div class="search" role="search">
        <input
          id="search-words"
          ref={field}
          class="field"
          type="search"
          dir="auto"
          aria-label={say('search_conversation')}
          placeholder={say('search_conversation')}
          value={text}
          maxLength={200}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button id="search-close" type="button" class="button quiet" onClick={onClose}>
          {say('search_close')}
        </button>
      </div>
      {view && (
        <label class="search-here">
          <input
            id="search-here"
            type="checkbox"
            checked={isHere}
            onChange={(event) => setHere(event.currentTarget.checked)}
          />
          {say('search_here')}
        </label>
      )}
      <p class="unseen" role="status">
        {matches && sayCount('found', matches.messages.length)}
      </p>
      {matches?.problem && <p class="problem">{matches.problem}</p>}
      {matches && !matches.problem && matches.messages.length === 0 && <p class="nothing">{say('search_nothing')}</p>}
      <ol class="found" aria-label={say('search_found')}>
        {matches?.messages.map((message) => (
          <li key={message.id}>
            <Hit message={message} text={text} onOpen={onOpen} />
          </li>
        ))}
      </ol>
      {matches?.more && (
        <button id="search-more" type="button" class="button" onClick={() => void more()}>
          {say('search_more')}
        </button>
      )}
      {text.trim() && (
        <a
          id="search-kept"
          class="button quiet"
          href={`${server}/kept/?q=${encodeURIComponent(text.trim())}`}
          target="_blank"
          rel="noopener"
        >
          {say('search_kept')}
        </a>
      )}
    </div>
  )
}

/** Return the matches of this request, newest first, after those of the requests before. */
async function searchOnce(text: string, view: View | null, before: Found | null): Promise<Found> {
  const oldest = before?.messages.at(-1)?.seq
  const outcome = await sendCommand({
    type: 'search',
    text,
    ...(oldest !== undefined && { before_seq: oldest }),
    ...(view && { thread: view }),
  })
  if (!outcome.ok) return { messages: before?.messages ?? [], more: false, problem: outcome.message }
  return {
    messages: [...(before?.messages ?? []), ...(outcome.matches ?? []).toReversed()],
    more: outcome.more ?? false,
    problem: '',
  }
}

function Hit({ message, text, onOpen }: { message: Message; text: string; onOpen: (message: Message) => void }) {
  const [before, hit, after] = snippetAround(plainText(message.html), text)
  const who = message.direction === 'in' ? say('you') : 'Penny'
  return (
    <button type="button" class="hit" data-found={message.seq} onClick={() => onOpen(message)}>
      <small>
        {who}, {dayOf(message.created_at, new Date())}, {clockOf(message.created_at)}
      </small>
      <span dir="auto">
        {before}
        <mark>{hit}</mark>
        {after}
      </span>
    </button>
  )
}
