// What the chat page adds above the box: the find that the next message is about, and what came with the address.
import { useEffect, useState } from 'preact/hooks'
import type { Along } from '../composer/along'
import type { Parts } from '../composer/use_sending'
import { say } from '../say'
import type { PageData } from './page_data'

export interface Subject {
  find: PageData['about']
  leave: () => void
  along: Along
}

/** The find goes with one message: later ones need no mention of it. */
export function useSubject(about: PageData['about']): Subject {
  const [find, setFind] = useState(about)
  const leave = () => {
    setFind(null)
    forgetAddress()
  }
  return { find, leave, along: { page: null, thoughtId: find?.id ?? null, tab: null, isReading: false, clear: leave } }
}

interface AboveProps {
  subject: Subject
  server: string
  parts: Parts
  data: PageData
}

export function Above({ subject, server, parts, data }: AboveProps) {
  useEffect(() => takeAddress(parts, data), [])
  const { find, leave } = subject
  if (!find) return null
  return (
    <p class="subject" id="subject" data-thought={find.id}>
      <span class="soft">{say('about_find')}</span> <a href={`${server}/thoughts/${find.id}/`}>{find.title}</a>{' '}
      <button
        id="subject-off"
        type="button"
        class="button quiet"
        onClick={() => {
          leave()
          parts.field.current?.focus()
        }}
      >
        {say('not_about_find')}
      </button>
    </p>
  )
}

/** What another app shared is a file: its words are not the owner's. Nothing is sent before the owner sends it. */
function takeAddress({ field, attaching }: Parts, { about, shared }: PageData): void {
  if (shared) void attaching.add([new File([shared.text], shared.name, { type: shared.mime })])
  if (shared) forgetAddress()
  if (about || shared) field.current?.focus()
}

/** A reload must not bring it again. */
function forgetAddress(): void {
  history.replaceState(null, '', location.pathname)
}
