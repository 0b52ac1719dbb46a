import { say, type Key } from '../say'
import { intoComposer } from './into_composer'

interface Works {
  hasModel: boolean
  hasBrowser: boolean
}

/** What can be asked, for an empty conversation. Each example works now. */
export function Examples(works: Works) {
  return (
    <>
      <h2>{say('empty_title')}</h2>
      <p>{say('empty_reads')}</p>
      <p>{say('empty_likes')}</p>
      <div class="examples">
        {examplesFor(works).map((example) => (
          <button key={example} type="button" class="button" onClick={() => intoComposer(say(example))}>
            {say(example)}
          </button>
        ))}
      </div>
    </>
  )
}

function examplesFor({ hasModel, hasBrowser }: Works): Key[] {
  const first = hasModel ? 'example_what' : hasBrowser ? 'example_search' : 'example_remind'
  return [first, hasBrowser ? 'example_read' : 'example_remember', 'example_like']
}
