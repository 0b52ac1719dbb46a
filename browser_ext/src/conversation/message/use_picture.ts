import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../host'

/**
 * Return the picture at `address` as a data: URL, or null until the background has it. A change of `isThere` to true
 * asks again.
 */
export function usePicture(address: string | null | undefined, isConnected: boolean, isThere = true): string | null {
  const [image, setImage] = useState<string | null>(null)
  useEffect(() => {
    if (!address || !isConnected || image) return
    let isWanted = true
    void sendCommand({ type: 'picture', address }).then((outcome) => {
      if (isWanted && outcome.ok) setImage(outcome.image ?? null)
    })
    return () => void (isWanted = false)
  }, [address, isConnected, image, isThere])
  return image
}
