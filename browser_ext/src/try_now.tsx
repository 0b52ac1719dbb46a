import { say } from './say'
import { useHeir } from './use_heir'

/** Connects now instead of at the next try. Whoever takes its place gets its focus. */
export function TryNow({ onTry }: { onTry: () => void }) {
  const button = useHeir()
  return (
    <button id="reconnect" ref={button} type="button" class="button quiet" onClick={onTry}>
      {say('try_now')}
    </button>
  )
}
