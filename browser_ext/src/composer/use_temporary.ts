import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../own_pages/background_link'

/** Whether the next message is temporary, and what turns that. */
export function useTemporary(isStored: boolean): [boolean, () => void] {
  const [isTemporary, setTemporary] = useState(isStored)
  useEffect(() => setTemporary(isStored), [isStored])
  const turn = () => {
    setTemporary(!isTemporary) // at once: what is sent in the next moment is what the button says
    void sendCommand({ type: 'set_temporary', on: !isTemporary })
  }
  return [isTemporary, turn]
}
