import type { Turn } from '../turns'

/** An answer that is still being written. Its finished message replaces it. */
export function TurnItem({ turn }: { turn: Turn }) {
  const status = turn.status || (turn.text ? '' : 'Thinking')
  return (
    <li class="message out turn" data-turn={turn.turn_id} aria-busy="true">
      {turn.text && <div class="text streaming">{turn.text}</div>}
      {status && <p class="busy">{status}</p>}
    </li>
  )
}
