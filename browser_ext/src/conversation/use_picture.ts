import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../own_pages/background_link'

/**
 * Returns the picture that the server shows at `address` as a data: URL, once the background has it; until then, and without any, null.
 * It is asked for again when `isThere` says that there should be one now.
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
