import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Place {
  element: Element
  row: number
}

/**
 * Keep the keyboard focus in a list whose rows change. When the focused row disappears, the row in its place gets the
 * focus. Without rows, the element with the id `otherwise` does.
 */
export function useFocusKept(holder: RefObject<HTMLElement | null>, otherwise: string): void {
  const place = useRef<Place | null>(null)
  useLayoutEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => (place.current = positionIn(target, holder.current, place.current))
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || !holder.current?.contains(target)) place.current = null
    }
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [])
  useLayoutEffect(() => {
    if (!place.current || place.current.element.isConnected || document.activeElement !== document.body) return
    focusRow(holder.current, place.current.row, otherwise)
  })
}

function positionIn(target: EventTarget | null, holder: HTMLElement | null, before: Place | null): Place | null {
  if (!(target instanceof Element) || !holder?.contains(target)) return null
  const row = target.closest('li')
  return { element: target, row: row ? rowsOf(holder).indexOf(row) : (before?.row ?? 0) }
}

function focusRow(holder: HTMLElement | null, row: number, otherwise: string): void {
  const rows = rowsOf(holder)
  const control = rows[Math.min(row, rows.length - 1)]?.querySelector<HTMLElement>('select, button')
  const next = control ?? document.getElementById(otherwise)
  next?.focus()
}

function rowsOf(holder: HTMLElement | null): HTMLLIElement[] {
  return [...(holder?.querySelectorAll('li') ?? [])]
}
