import { useEffect, useState } from 'preact/hooks'
import { stored } from '../state/stored'

/** Return whether the first run is over in this browser (null while loading), and a function that ends it. */
export function useIntroduced(): [boolean | null, () => void] {
  const [isOver, setOver] = useState<boolean | null>(null)
  useEffect(() => {
    void stored.introduced.getValue().then(setOver)
    return stored.introduced.watch(setOver)
  }, [])
  return [isOver, () => void stored.introduced.setValue(true)]
}
