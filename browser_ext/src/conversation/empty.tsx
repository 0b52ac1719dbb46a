import type { PanelState } from '../state/panel_state'
import { say, type Key } from '../say'
import { FirstRun } from '../own_pages/first_run'
import { intoComposer } from './into_composer'
import { useIntroduced } from '../own_pages/use_introduced'

const EXAMPLES: Key[] = ['example_what', 'example_read', 'example_like']

/** An empty conversation: the first run, and after it three examples to begin with. */
export function Empty({ state }: { state: PanelState }) {
  const [isIntroduced, setIntroduced] = useIntroduced()
  if (isIntroduced === null) return null
  if (!isIntroduced) {
    return (
      <li class="empty">
        <FirstRun settings={{ toolUse: state.toolUse, sharesHistory: state.history.on }} onOver={setIntroduced} />
      </li>
    )
  }
  return (
    <li class="empty">
      <h2>{say('empty_title')}</h2>
      <p>{say('empty_reads')}</p>
      <p>{say('empty_likes')}</p>
      <div class="examples">
        {EXAMPLES.map((example) => (
          <button key={example} type="button" class="button" onClick={() => intoComposer(say(example))}>
            {say(example)}
          </button>
        ))}
      </div>
    </li>
  )
}
