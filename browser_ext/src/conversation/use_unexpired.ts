import { useEffect, useState } from 'preact/hooks'
import { nextExpiryMs, openAsks, type Ask } from '../state/asks'

/** The questions that are open, until each of them expires. */
export function useUnexpired(asks: Ask[]): Ask[] {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const wait = nextExpiryMs(openAsks(asks, Date.now()), Date.now())
    const timer = wait === null ? undefined : setTimeout(() => setNow(Date.now()), wait + 50)
    return () => clearTimeout(timer)
  }, [asks, now])
  return openAsks(asks, Math.max(now, Date.now()))
}
