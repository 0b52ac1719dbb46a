import { sendCommand } from '../conversation/host'
import { say, sayCount, type Key } from '../say'
import type { Refusal } from '../server/refusals'
import type { PanelState } from '../state/panel_state'
import { TryNow } from '../try_now'
import { useLong } from '../use_long'

const SIGNED_OUT = { words: 'web_signed_out', act: 'web_sign_in', path: '/sign-in/?next=' } as const
const ENDS: Partial<Record<Refusal, { words: Key; act: Key; path: string }>> = {
  not_proven: SIGNED_OUT,
  revoked: SIGNED_OUT,
  replaced: { words: 'web_other_tab', act: 'web_use_here', path: '' },
  version: { words: 'web_updated', act: 'web_reload', path: '' },
}

/** Says why the page is not connected, and what to do. */
export function StatusLine({ state }: { state: PanelState }) {
  const { connection, unsent, pairing } = state
  const isLong = useLong(connection.name !== 'connected')
  const end = connection.name === 'refused' ? ENDS[connection.reason] : undefined
  if (end) return <Ended end={end} server={pairing?.server ?? ''} />
  const waiting = unsent.filter((entry) => entry.state === 'queued').length
  const text = say(connection.name === 'connecting' ? 'status_connecting' : 'web_reconnecting')
  const isShown = connection.name !== 'connected' && isLong
  return (
    <div id="status" class="status" data-state={connection.name} data-tone={isShown ? 'busy' : 'ok'} hidden={!isShown}>
      <span class="dot" aria-hidden="true" />
      <span role="status">{isShown && (waiting > 0 ? sayCount('status_kept', waiting, text) : text)}</span>
      {isShown && <TryNow onTry={() => void sendCommand({ type: 'reconnect' })} />}
    </div>
  )
}

function Ended({ end, server }: { end: { words: Key; act: Key; path: string }; server: string }) {
  const chat = `${new URL(server).pathname.replace(/\/$/, '')}/chat/`
  return (
    <div id="status" class="status" data-state="refused" data-tone="stop">
      <span class="dot" aria-hidden="true" />
      <span role="status">{say(end.words)}</span>
      <a class="button quiet" href={end.path ? `${server}${end.path}${chat}` : chat}>
        {say(end.act)}
      </a>
    </div>
  )
}
