// Words for the box from elsewhere in the panel, to be changed and sent: they are the owner's message.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const WRITE = 'penny:write'

export function intoComposer(text: string): void {
  document.getElementById('composer')?.dispatchEvent(new CustomEvent(WRITE, { detail: text }))
}

/** From when the box is drawn: `write` may know what stood there before, and what is written in the next moment is no draft less. */
export function useWrittenInto(field: RefObject<HTMLTextAreaElement | null>, write: (text: string) => void): void {
  useLayoutEffect(() => {
    const box = field.current
    const listener = (event: Event) => event instanceof CustomEvent && write(String(event.detail))
    box?.addEventListener(WRITE, listener)
    return () => box?.removeEventListener(WRITE, listener)
  })
}
