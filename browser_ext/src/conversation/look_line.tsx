import { useEffect, useState } from 'preact/hooks'
import type { Look } from '../protocol.gen'
import { say, type Key } from '../say'

const STEPS: Partial<Record<NonNullable<Look['step']>, Key>> = {
  searching: 'look_searching',
  reading: 'look_reading',
  writing: 'look_writing',
  waiting: 'look_waiting',
}

const END_SHOWN_MS = 120_000
const ABOUT_MAX = 40

/**
 * How far the search for a find is that the owner started, in a line. Its end leads to the find, or says why not, until
 * the owner followed it or END_SHOWN_MS passed.
 */
export function LookLine({ look, server }: { look: Look | null; server: string }) {
  const [endedId, setEndedId] = useState<string | null>(null)
  const isOver = look?.step === 'over'
  useEffect(() => {
    if (!look || !isOver) return
    const timer = setTimeout(() => setEndedId(look.run_id), END_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [look?.run_id, isOver])
  const isBusy = !isOver && look?.step !== 'waiting'
  // A link that is taken away before the browser followed it leads nowhere.
  const follow = () => void setTimeout(() => setEndedId(look?.run_id ?? null))
  return (
    <div role="status">
      {look && !(isOver && endedId === look.run_id) && (
        <div class="look">
          <span class={isBusy ? 'busy' : ''}>{wordsOf(look)}</span>
          {isOver && <End look={look} server={server} onFollow={follow} />}
        </div>
      )}
    </div>
  )
}

function wordsOf(look: Look): string {
  const about = shortened(look.about) || say('look_anything')
  if (look.step === 'over') {
    if (look.thought_id) return say('look_found', about)
    if (!look.outcome) return say('look_nothing', about)
    return look.about && look.outcome.includes(look.about) ? look.outcome : `${about}: ${look.outcome}`
  }
  const step = STEPS[look.step ?? 'starting']
  const { site = '', number = 0, of = 0 } = look
  const place = number > 0 && of > 1 ? say('look_place', number, of) : ''
  return [say('look_for', about), step && say(step, site), place].filter(Boolean).join(' · ')
}

function shortened(about: string): string {
  return about.length > ABOUT_MAX ? about.replace(/^(.{12,40})\s.*/su, '$1…') : about
}

function End({ look, server, onFollow }: { look: Look; server: string; onFollow: () => void }) {
  const page = look.thought_id ? `thoughts/${look.thought_id}` : `runs/${look.run_id}`
  return (
    <a
      id="look-end"
      class={look.thought_id ? 'button primary' : 'button quiet'}
      href={`${server}/${page}/`}
      target={server.startsWith(location.origin) ? undefined : '_blank'}
      rel="noopener"
      onClick={onFollow}
    >
      {say(look.thought_id ? 'look_open' : 'look_how')}
    </a>
  )
}
