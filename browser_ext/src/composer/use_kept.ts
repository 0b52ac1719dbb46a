import { type StateUpdater, useEffect, useRef, useState } from 'preact/hooks'
import { stored } from '../state/stored'

interface Item<Value> {
  getValue: () => Promise<Value>
  setValue: (value: Value) => Promise<void>
}

/**
 * State that outlives the panel: what was kept comes back, unless the owner was quicker. It is kept `afterMs` after the last change, and
 * at once where the panel closes before.
 */
export function useKept<Value>(item: Item<Value>, empty: Value, afterMs: (value: Value) => number = () => 0): [Value, (next: StateUpdater<Value>) => void] {
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
      void keep(item, value)
    }, afterMs(value))
    return () => clearTimeout(timer)
  }, [value])
  useEffect(() => {
    const last = () => void (unkept.current && item.setValue(unkept.current.value)) // a page that goes waits for nothing
    addEventListener('pagehide', last)
    return () => {
      removeEventListener('pagehide', last)
      if (unkept.current) void keep(item, unkept.current.value)
    }
  }, [])
  const change = (next: StateUpdater<Value>) => {
    isTouched.current = true
    setValue(next)
  }
  return [value, change]
}

/** Where everything was forgotten meanwhile, the draft was too. */
async function keep<Value>(item: Item<Value>, value: Value): Promise<void> {
  if (await stored.pairing.getValue()) await item.setValue(value)
}
