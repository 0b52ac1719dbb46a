import { useState } from 'preact/hooks'
import type { Valence } from '../../state/conversation'
import { say, type Key } from '../../say'
import { sendCommand } from '../host'

const THUMBS: [Valence, string, Key][] = [
  [1, 'up', 'thumb_up'],
  [-1, 'down', 'thumb_down'],
]
const SHAPE = 'M7 11v9H4v-9zM7 11l4-8c1.7 0 2.6 1.2 2.3 2.8L12.6 9H19a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 17.8 20H7'

/** Thumbs for a thought. They show the reaction that the server reports, from whatever device. */
export function Thumbs({ thoughtId, stands }: { thoughtId: string; stands: Valence | undefined }) {
  const [problem, setProblem] = useState('')
  const react = async (type: 'react' | 'unreact', valence: Valence) => {
    const outcome = await sendCommand({ type, thought_id: thoughtId, valence })
    setProblem(outcome.ok ? '' : outcome.message)
  }
  return (
    <div class="thumbs" role="group" aria-label={say('thumbs')}>
      {THUMBS.map(([valence, icon, label]) => (
        <button
          key={icon}
          type="button"
          class="button quiet"
          data-thumb={icon}
          aria-label={say(label)}
          title={say(label)}
          aria-pressed={stands === valence}
          onClick={() => void react('react', valence)}
        >
          <svg class={icon} viewBox="0 0 24 24" aria-hidden="true">
            <path d={SHAPE} />
          </svg>
        </button>
      ))}
      {stands && (
        <button
          type="button"
          class="button quiet"
          data-thumb="undo"
          aria-label={say('thumb_undo_label')}
          onClick={(event) => (toThumbs(event.currentTarget), void react('unreact', stands))}
        >
          {say('undo')}
        </button>
      )}
      {problem && (
        <p class="problem" role="status">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Undo removes the button that was pressed: the focus stays in the group. */
function toThumbs(button: HTMLElement): void {
  button.parentElement?.querySelector('button')?.focus()
}
