import { useState } from 'preact/hooks'
import type { Valence } from '../conversation'
import { command } from './background_link'

const THUMBS: [Valence, string, string][] = [
  [1, 'up', 'I like this'],
  [-1, 'down', 'I do not like this'],
]
const SHAPE = 'M7 11v9H4v-9zM7 11l4-8c1.7 0 2.6 1.2 2.3 2.8L12.6 9H19a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 17.8 20H7'

/** What the owner makes of a thought. What is pressed is what stands, wherever it was said; the server says so. */
export function Thumbs({ thoughtId, stands }: { thoughtId: string; stands: Valence | undefined }) {
  const [problem, setProblem] = useState('')
  const react = async (type: 'react' | 'unreact', valence: Valence) => {
    const outcome = await command({ type, thought_id: thoughtId, valence })
    setProblem(outcome.ok ? '' : outcome.message)
  }
  return (
    <div class="thumbs" role="group" aria-label="What you make of this thought">
      {THUMBS.map(([valence, icon, label]) => (
        <button key={icon} type="button" class="button quiet" data-thumb={icon} aria-label={label} title={label} aria-pressed={stands === valence} onClick={() => void react('react', valence)}>
          <svg class={icon} viewBox="0 0 24 24" aria-hidden="true">
            <path d={SHAPE} />
          </svg>
        </button>
      ))}
      {stands && (
        <button type="button" class="button quiet" data-thumb="undo" aria-label="Take my reaction back" onClick={(event) => (toThumbs(event.currentTarget), void react('unreact', stands))}>
          Undo
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

/** The button that is pressed goes away with what it undoes; the focus does not. */
function toThumbs(button: HTMLElement): void {
  button.parentElement?.querySelector('button')?.focus()
}
