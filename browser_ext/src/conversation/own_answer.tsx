// The owner's answer to a question of an operator: one of its options, or their own words.
import { useState } from 'preact/hooks'
import type { PageQuestion } from '../protocol.gen'
import { say } from '../say'

const ANSWER_CHARACTERS = 500

interface OwnAnswerProps {
  options: PageQuestion['options']
  isGuarded: boolean
  onAnswer: (words: string) => void
}

export function OwnAnswer({ options, isGuarded, onAnswer }: OwnAnswerProps) {
  const [words, setWords] = useState('')
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (words.trim()) onAnswer(words.trim())
  }
  return (
    <form class="own-answer" onSubmit={onSubmit}>
      {options.length > 0 && (
        <div class="buttons">
          {options.map((option) => (
            <button key={option} type="button" class="button" disabled={isGuarded} onClick={() => onAnswer(option)}>
              {option}
            </button>
          ))}
        </div>
      )}
      <div class="buttons">
        <input
          class="field"
          dir="auto"
          aria-label={say('ask_own_words')}
          placeholder={say('ask_own_words')}
          maxLength={ANSWER_CHARACTERS}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={isGuarded || !words.trim()}>
          {say('ask_answer')}
        </button>
      </div>
    </form>
  )
}
