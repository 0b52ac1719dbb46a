import { useUnexpired } from '../conversation/use_unexpired'
import { verdict } from '../grants/grants'
import { webUrl } from '../grants/hosts'
import type { Coin } from '../state/coin'
import type { PanelState } from '../state/panel_state'
import { useFrontTab } from './use_front_tab'

/** The coin of this window: it knows the site in front of it. */
export function useCoin({ asks, turns, isTemporary, toolUse, grants, pairing }: PanelState): Coin {
  const url = webUrl(useFrontTab()?.url ?? '')
  const questions = useUnexpired(asks).length
  const rules = { capability: 'read', grants, server: pairing?.server ?? '', now: Date.now() } as const
  const mayRead = toolUse && pairing !== null && url !== null && verdict(url, rules) === 'allowed'
  return { questions, isWorking: turns.length > 0, mayRead, isOffRecord: isTemporary }
}
