import { useEffect, useState } from 'preact/hooks'

/** A short break is no news. */
const QUIET_MS = 1500

/** Whether something is true for a while. */
export function useLong(isSo: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    if (!isSo) return
    const timer = setTimeout(() => setLong(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [isSo])
  return isLong
}
