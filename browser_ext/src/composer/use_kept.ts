import { type StateUpdater, useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Item } from '../conversation/host'

/**
 * State that outlives the panel. The stored value is loaded unless the owner changed the state before. It is stored
 * `afterMs` after the last change, or when the panel closes.
 */
export function useKept<Value>(
  item: Item<Value>,
  empty: Value,
  afterMs: (value: Value) => number = () => 0,
): [Value, (next: StateUpdater<Value>) => void] {
  const [value, setValue] = useState(empty)
  const isTouched = useRef(false)
  const unkept = useRef<{ value: Value } | null>(null)
  useEffect(() => {
    void item.getValue().then((storedValue) => !isTouched.current && setValue(storedValue))
  }, [])
  useEffect(() => {
    if (!isTouched.current) return
    unkept.current = { value }
    const timer = setTimeout(() => {
      unkept.current = null
      void item.setValue(value)
    }, afterMs(value))
    return () => clearTimeout(timer)
  }, [value])
  useEffect(() => {
    const last = () => {
      if (unkept.current) item.setLast(unkept.current.value)
    }
    addEventListener('pagehide', last)
    return () => {
      removeEventListener('pagehide', last)
      if (unkept.current) void item.setValue(unkept.current.value)
    }
  }, [])
  const change = useCallback((next: StateUpdater<Value>) => {
    isTouched.current = true
    setValue(next)
  }, [])
  return [value, change]
}
