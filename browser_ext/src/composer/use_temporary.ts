import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../conversation/host'

/** Whether the next message is temporary, and a function that toggles it. */
export function useTemporary(isStored: boolean): [boolean, () => void] {
  const [isTemporary, setTemporary] = useState(isStored)
  useEffect(() => setTemporary(isStored), [isStored])
  const turn = () => {
    setTemporary(!isTemporary) // at once: the next message must be what the button says
    void sendCommand({ type: 'set_temporary', on: !isTemporary })
  }
  return [isTemporary, turn]
}
