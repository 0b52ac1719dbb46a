import type { Look } from '../protocol.gen'
import { say, type Key } from '../say'

const STEPS: Partial<Record<NonNullable<Look['step']>, Key>> = {
  searching: 'look_searching',
  reading: 'look_reading',
  writing: 'look_writing',
  waiting: 'look_waiting',
}

/** How far the search for a find is that the owner started, in a line. Its end leads to the find, or says why not. */
export function LookLine({ look, server }: { look: Look | null; server: string }) {
  return (
    <div role="status">
      {look && (
        <div class="look">
          <span class={look.step === 'over' ? '' : 'busy'}>{wordsOf(look)}</span>
          {look.step === 'over' && <End look={look} server={server} />}
        </div>
      )}
    </div>
  )
}

function wordsOf(look: Look): string {
  const about = look.about || say('look_anything')
  if (look.step === 'over')
    return look.thought_id ? say('look_found', about) : look.outcome || say('look_nothing', about)
  const step = STEPS[look.step ?? 'starting']
  const { site = '', number = 0, of = 0 } = look
  const place = number > 0 && of > 1 ? say('look_place', number, of) : ''
  return [say('look_for', about), step && say(step, site), place].filter(Boolean).join(' · ')
}

function End({ look, server }: { look: Look; server: string }) {
  const page = look.thought_id ? `thoughts/${look.thought_id}` : `runs/${look.run_id}`
  return (
    <a
      id="look-end"
      class={look.thought_id ? 'button primary' : 'button quiet'}
      href={`${server}/${page}/`}
      target={server.startsWith(location.origin) ? undefined : '_blank'}
      rel="noopener"
    >
      {say(look.thought_id ? 'look_open' : 'look_how')}
    </a>
  )
}
