import { useEffect, useState } from 'preact/hooks'
import { stored } from '../state/stored'

/** Returns whether the first run is over in this browser, null while that is not known, and what ends it. */
export function useIntroduced(): [boolean | null, () => void] {
  const [isOver, setOver] = useState<boolean | null>(null)
  useEffect(() => {
    void stored.introduced.getValue().then(setOver)
    return stored.introduced.watch(setOver)
  }, [])
  return [isOver, () => void stored.introduced.setValue(true)]
}
