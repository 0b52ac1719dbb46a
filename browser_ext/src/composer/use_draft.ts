import { type StateUpdater, useRef } from 'preact/hooks'
import { host } from '../conversation/host'
import { useKept } from './use_kept'

const SAVE_MS = 250

export interface Draft {
  text: string
  /** The owner's draft while `replace` fills the box with something else. */
  aside: string
  setText: (next: StateUpdater<string>) => void
  /** Set the draft aside, and put a whole message into the box. */
  replace: (words: string) => void
  append: (words: string) => void
  bringBack: () => void
  /** Typing. An emptied box gets the draft back that was set aside. */
  type: (value: string) => void
}

/** The text in the box. It outlives the panel. */
export function useDraft(): Draft {
  const [text, setText] = useKept(host().drafts.text, '', (draft) => (draft ? SAVE_MS : 0))
  const [aside, setAside] = useKept(host().drafts.aside, '')
  const replacing = useRef('')
  const replace = (words: string) => {
    const own = text === replacing.current ? '' : text
    setAside([aside, own].filter((draft) => draft.trim()).join('\n'))
    replacing.current = words
    setText(words)
  }
  const append = (words: string) => setText((since) => (since ? `${since}\n${words}` : words))
  const bringBack = () => {
    setText((since) => [aside, since].filter(Boolean).join('\n'))
    setAside('')
  }
  const type = (value: string) => {
    setText(value || aside)
    if (!value) setAside('')
  }
  return { text, aside, setText, replace, append, bringBack, type }
}
