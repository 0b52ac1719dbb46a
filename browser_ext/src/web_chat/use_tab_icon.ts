import { useEffect, useState } from 'preact/hooks'
import { useUnexpired } from '../conversation/use_unexpired'
import { coinName, type Coin } from '../state/coin'
import type { PanelState } from '../state/panel_state'

const ICON = /penny(-[a-z-]+)?\.svg/

/** The coin on the tab: what waits for the owner comes first. Which site is in front, the page cannot know. */
export function useTabIcon({ asks, turns, isTemporary }: PanelState): void {
  const [title] = useState(document.title)
  const questions = useUnexpired(asks).length
  const coin = { questions, isWorking: turns.length > 0, mayRead: false, isOffRecord: isTemporary }
  const name = coinName(coin)
  const suffix = suffixOf(coin)
  useEffect(() => {
    document.title = suffix ? `${name.replace(/^Penny · /, '')} · ${title}` : title
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (link) link.href = link.href.replace(ICON, `penny${suffix}.svg`)
  }, [name, suffix])
}

/** What the name of the picture ends in. */
function suffixOf({ questions, isWorking, isOffRecord }: Coin): string {
  if (questions > 0) return '-waits'
  if (isWorking) return '-working'
  return isOffRecord ? '-off-record' : ''
}
