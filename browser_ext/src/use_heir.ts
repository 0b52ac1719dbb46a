import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** For a button that goes by itself: if it has the focus then, the box to write in has it. */
export function useHeir(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    return () => {
      if (own === document.activeElement) document.getElementById('composer')?.focus()
    }
  }, [])
  return button
}
