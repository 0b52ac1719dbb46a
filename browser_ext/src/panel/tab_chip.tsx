// In Act mode: the site of the tab beside the sidebar, which Penny may use then. Only its host is sent.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { say } from '../say'
import { canInclude, siteOf, type Tab } from '../state/sharing'

export interface FrontSite {
  /** Null where there is none, and where the owner left it out. */
  host: string | null
  leaveOut: () => void
}

/** Null in private windows, as `tab` is, and on pages that are not of the web. */
export function useFrontSite(tab: Tab | null, server: string): FrontSite {
  const site = tab?.url && canInclude(tab.url, server) ? siteOf(tab.url) : null
  const [isLeftOut, setLeftOut] = useState(false)
  useLayoutEffect(() => setLeftOut(false), [tab?.id, site]) // later, it would undo a press of the owner
  return { host: isLeftOut ? null : site, leaveOut: () => setLeftOut(true) }
}

/** Stands in the place of the page that could go along, which does not go with a message in Act mode. */
export function TabChip({ front: { host, leaveOut }, onShow }: { front: FrontSite; onShow: () => void }) {
  useEffect(onShow, [])
  if (!host) return null
  return (
    <span class="tab-chip">
      <span id="act-on">{say('act_on', host)}</span>
      <button
        id="act-on-off"
        type="button"
        class="button quiet"
        aria-label={say('act_on_off', host)}
        title={say('act_on_off', host)}
        onClick={() => (leaveOut(), document.getElementById('composer')?.focus())}
      >
        <span aria-hidden="true">×</span>
      </button>
    </span>
  )
}
