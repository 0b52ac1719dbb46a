import { type StateUpdater, useEffect, useRef, useState } from 'preact/hooks'
import { stored } from '../stored'

interface Item<Value> {
  getValue: () => Promise<Value>
  setValue: (value: Value) => Promise<void>
}

/** State that outlives the panel: what was kept comes back, unless the owner was quicker. It is kept `afterMs` after the last change. */
export function useKept<Value>(item: Item<Value>, empty: Value, afterMs: (value: Value) => number = () => 0): [Value, (next: StateUpdater<Value>) => void] {
  const [value, setValue] = useState(empty)
  const isTouched = useRef(false)
  useEffect(() => {
    void item.getValue().then((kept) => !isTouched.current && setValue(kept))
  }, [])
  useEffect(() => {
    if (!isTouched.current) return
    const timer = setTimeout(() => void keep(item, value), afterMs(value))
    return () => clearTimeout(timer)
  }, [value])
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
