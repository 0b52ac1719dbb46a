// Puts words into the box from elsewhere in the panel. The owner changes and sends them.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const WRITE = 'penny:write'
const SEND = 'penny:send'

export function intoComposer(text: string): void {
  dispatch(WRITE, text)
}

/** Send words at once. Where a draft of the owner's waits, they go into the box. */
export function sendThroughComposer(text: string): void {
  dispatch(SEND, text)
}

function dispatch(name: string, detail: string): void {
  document.getElementById('composer')?.dispatchEvent(new CustomEvent(name, { detail }))
}

/** Registered with every render, before paint: both must know the draft that they replace. */
export function useWrittenInto(
  field: RefObject<HTMLTextAreaElement | null>,
  write: (text: string) => void,
  send: (text: string) => void,
): void {
  useLayoutEffect(() => {
    const box = field.current
    const listener = (event: Event) => {
      if (event instanceof CustomEvent) (event.type === SEND ? send : write)(String(event.detail))
    }
    for (const name of [WRITE, SEND]) box?.addEventListener(name, listener)
    return () => {
      for (const name of [WRITE, SEND]) box?.removeEventListener(name, listener)
    }
  })
}
