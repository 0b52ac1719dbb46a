// Ask or Act: whether Penny may do something on pages for the next messages.
import { useLayoutEffect, useState } from 'preact/hooks'
import type { PanelState } from '../state/panel_state'
import { say, type Key } from '../say'

type Why = Exclude<PanelState['obstacle'], null | 'unknown'> | 'temporary'

export interface Mode {
  isActing: boolean
  /** The owner chose Act. */
  isWanted: boolean
  /** What keeps Penny from acting. */
  why: Why | null
  isKnown: boolean
  switchTo: (isAct: boolean) => void
}

/** What is said of each, what the button says, and where it leads. */
const WORDS: Record<Why, [Key, Key, string]> = {
  no_model: ['mode_no_model', 'mode_no_model_do', '/settings/model/'],
  no_browser: ['mode_no_browser', 'mode_no_browser_do', '/setup/'],
  old_browser: ['mode_old_browser', 'mode_old_browser_do', '/setup/'],
  switched_off: ['mode_switched_off', 'mode_switched_off_do', '/permissions/browsers/'],
  temporary: ['mode_temporary', 'mode_temporary_do', ''],
}

/** Off until the owner switches it on, and as long as something keeps Penny from acting. Alt+M switches it. */
export function useMode(obstacle: PanelState['obstacle'], isTemporary: boolean): Mode {
  const [isWanted, switchTo] = useState(false)
  const isKnown = obstacle !== 'unknown'
  const why = isTemporary ? 'temporary' : obstacle === 'unknown' ? null : obstacle
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'KeyM' || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      switchTo((before) => !before)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return { isActing: isWanted && isKnown && why === null, isWanted, why, isKnown, switchTo }
}

export function ModeSwitch({ mode: { isActing, why, isKnown, switchTo } }: { mode: Mode }) {
  if (!isKnown) return null
  const choose = (isAct: boolean) => (event: MouseEvent) => {
    if (isAct && why) event.preventDefault() // it stays at Ask
    switchTo(isAct)
  }
  return (
    <span class="mode" role="radiogroup" aria-label={say('mode')} title={say('mode_keys')}>
      {[false, true].map((isAct) => (
        <label key={isAct} class={isAct && why ? 'off' : ''}>
          <input
            id={isAct ? 'mode-act' : 'mode-ask'}
            type="radio"
            name="mode"
            checked={isAct === isActing}
            aria-describedby="mode-state"
            onClick={choose(isAct)}
          />
          {say(isAct ? 'mode_act' : 'mode_ask')}
        </label>
      ))}
    </span>
  )
}

/** What Act means, for a screen reader; or what keeps Penny from it, with the button that helps. */
export function ModeState({ mode, server, onRecord }: { mode: Mode; server: string; onRecord: () => void }) {
  const { isActing, isWanted, why } = mode
  if (!isWanted || !why)
    return (
      <p id="mode-state" class="unseen" role="status">
        {isActing && say('mode_what')}
      </p>
    )
  const [words, help, page] = WORDS[why]
  return (
    <p id="mode-state" class="what" role="status">
      {say(words)}{' '}
      {page ? (
        <a id="mode-help" class="button" href={server + page} target="_blank" rel="noopener">
          {say(help)}
        </a>
      ) : (
        <button id="mode-help" type="button" class="button" onClick={onRecord}>
          {say(help)}
        </button>
      )}
    </p>
  )
}
