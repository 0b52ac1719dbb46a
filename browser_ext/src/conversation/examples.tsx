import { say, type Key } from '../say'
import { intoComposer, sendThroughComposer } from './into_composer'

interface Works {
  hasModel: boolean
  hasBrowser: boolean
}

/** The examples that store something about the owner, who makes them their own in the box first. */
const STORED: Key[] = ['example_remind', 'example_remember', 'example_like']

/** What can be asked, for an empty conversation. Each example works now, and a question is asked with one click. */
export function Examples(works: Works) {
  return (
    <>
      <h2>{say('empty_title')}</h2>
      <p>{say('empty_reads')}</p>
      <p>{say('empty_likes')}</p>
      <div class="examples">
        {examplesFor(works).map((example) => (
          <button key={example} type="button" class="button" onClick={() => choose(example)}>
            {say(example)}
          </button>
        ))}
      </div>
    </>
  )
}

function choose(example: Key): void {
  if (STORED.includes(example)) intoComposer(say(example))
  else sendThroughComposer(say(example))
}

function examplesFor({ hasModel, hasBrowser }: Works): Key[] {
  const first = hasModel ? 'example_what' : hasBrowser ? 'example_search' : 'example_remind'
  return [first, hasBrowser ? 'example_read' : 'example_remember', 'example_like']
}
