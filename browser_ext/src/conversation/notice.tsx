import { say } from '../say'
import { sendCommand } from './host'

export function Notice({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <p class="strip" role="alert">
      <span>{text}</span>
      <button type="button" class="button quiet" onClick={() => void sendCommand({ type: 'close_notice' })}>
        {say('close')}
      </button>
    </p>
  )
}
