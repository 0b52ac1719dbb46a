// The page beside the panel as numbered lines: what Penny gets when she acts there. Its words are shown as text alone.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../conversation/icon'
import { nameInvisible } from '../extract/plain_text'
import { sendCommand } from '../own_pages/background_link'
import { say, sayCount } from '../say'
import type { Sight } from '../state/panel_state'
import type { Tab } from '../state/sharing'

interface Opening {
  isOpen: boolean
  sight: Sight | null
  problem: string
}

export interface SightState extends Opening {
  look: () => Promise<void>
  close: () => void
}

const CLOSED: Opening = { isOpen: false, sight: null, problem: '' }
const CONTROL = /(\[\d+[^\]]*\])/

/** Nothing is looked at before the owner asks for it. It closes when the tab shows another page. */
export function useSight(tab: Tab | null): SightState {
  const [opening, show] = useState(CLOSED)
  useEffect(() => show(CLOSED), [tab?.id, tab?.url])
  const look = async () => {
    if (tab?.id === undefined) return
    const looking = { ...CLOSED, isOpen: true }
    show(looking)
    const outcome = await sendCommand({ type: 'see_tab', tab_id: tab.id })
    const next = outcome.ok ? { sight: outcome.sight ?? null, problem: '' } : { sight: null, problem: outcome.message }
    show((now) => (now === looking ? { isOpen: true, ...next } : now))
  }
  return { ...opening, look, close: () => show(CLOSED) }
}

export function SightButton({ sight: { isOpen, look, close } }: { sight: SightState }) {
  return (
    <button
      id="see-page"
      type="button"
      class="button"
      aria-label={say('sight')}
      title={say('sight')}
      aria-expanded={isOpen}
      aria-controls="sight"
      onClick={() => (isOpen ? close() : void look())}
    >
      <Icon path="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z" />
    </button>
  )
}

export function SightOfPage({ sight, field }: { sight: SightState; field: RefObject<HTMLTextAreaElement | null> }) {
  const { isOpen, sight: lines, problem, look } = sight
  const close = () => {
    sight.close()
    // while something is written, the button is not there
    ;(document.getElementById('see-page') ?? field.current)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    <section id="sight" class="share" aria-labelledby="sight-name" hidden={!isOpen}>
      {isOpen && (
        <div onKeyDown={onKeyDown}>
          <div class="sight-top">
            <h2 id="sight-name">{say('sight')}</h2>
            <button id="sight-again" type="button" class="button quiet" onClick={() => void look()}>
              {say('sight_again')}
            </button>
            <button
              id="sight-off"
              type="button"
              class="button quiet"
              aria-label={say('close')}
              title={say('close')}
              onClick={close}
            >
              <span aria-hidden="true">×</span>
            </button>
          </div>
          <p id="sight-state" class={lines || problem ? '' : 'busy'} role="status">
            {lines ? stateWords(lines) : !problem && say('sight_looking')}
          </p>
          {problem && (
            <p id="sight-problem" class="problem" role="alert">
              {problem}
            </p>
          )}
          {lines && <Parts key={lines.parts} parts={lines.parts} />}
        </div>
      )}
    </section>
  )
}

function stateWords({ lines, refs }: Sight): string {
  return [sayCount('sight_lines', lines), sayCount('sight_controls', refs), say('sight_note')].join(' · ')
}

/** The first part, and each further one when it is asked for. */
function Parts({ parts }: { parts: string[] }) {
  const [count, setCount] = useState(1)
  const newestHead = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (count > 1) newestHead.current?.focus()
  }, [count])
  return (
    <div class="share-all sight-all" role="region" aria-label={say('sight')} tabIndex={0}>
      {parts.slice(0, count).map((part, index) => (
        <Part key={index} text={part} head={index === count - 1 ? newestHead : null} />
      ))}
      {count < parts.length && (
        <button id="sight-more" type="button" class="button" onClick={() => setCount(count + 1)}>
          {say('sight_more', count + 1, parts.length)}
        </button>
      )}
    </div>
  )
}

function Part({ text, head }: { text: string; head: RefObject<HTMLParagraphElement | null> | null }) {
  const [first = '', ...lines] = text.split('\n').map(nameInvisible)
  return (
    <>
      <p ref={head} tabIndex={-1}>
        {first}
      </p>
      <ol>
        {lines.map((line, place) => (
          <li key={place}>{withControls(line)}</li>
        ))}
      </ol>
    </>
  )
}

/** Controls stand out by their brackets, which no words of a page have. */
function withControls(line: string): ComponentChildren {
  return line.split(CONTROL).map((piece, place) => (place % 2 === 1 ? <b key={place}>{piece}</b> : piece))
}
