// Puts words into the box from elsewhere in the panel. The owner changes and sends them.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const WRITE = 'penny:write'

export function intoComposer(text: string): void {
  document.getElementById('composer')?.dispatchEvent(new CustomEvent(WRITE, { detail: text }))
}

/** Registered with every render, before paint: `write` must know the draft that it replaces. */
export function useWrittenInto(field: RefObject<HTMLTextAreaElement | null>, write: (text: string) => void): void {
  useLayoutEffect(() => {
    const box = field.current
    const listener = (event: Event) => event instanceof CustomEvent && write(String(event.detail))
    box?.addEventListener(WRITE, listener)
    return () => box?.removeEventListener(WRITE, listener)
  })
}
