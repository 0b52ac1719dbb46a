// Whether the page beside the panel is kept, and what becomes of it where the owner just asked for that.
import { useEffect, useState } from 'preact/hooks'
import { sendCommand } from '../own_pages/background_link'
import { language, say } from '../say'
import { canInclude, type Tab } from '../state/sharing'
import type { KeepingTab } from '../state/panel_state'

interface KeptLineProps {
  tab: Tab | null
  keeping: readonly KeepingTab[]
  server: string
  isConnected: boolean
}

export function KeptLine({ tab, keeping, server, isConnected }: KeptLineProps) {
  const page = keeping.find(({ tab_id, url }) => tab_id === tab?.id && url === tab.url)
  const url = tab?.url && canInclude(tab.url, server) ? tab.url : null
  const entry = useKeptPage(isConnected ? url : null, page?.step)
  const [problem, setProblem] = useState('')
  useEffect(() => setProblem(''), [page?.ref])
  const undo = async (ref: string) => {
    const outcome = await sendCommand({ type: 'undo_keeping', ref })
    setProblem(outcome.ok ? '' : outcome.message)
  }
  const leaveOut = async (url: string) => {
    const outcome = await sendCommand({ type: 'leave_site_out', url })
    setProblem(outcome.ok ? '' : outcome.message)
  }
  const failure = problem || (page?.step === 'failed' ? (page.message ?? '') : '')
  return (
    <div class="kept-line">
      <p id="keep-state" class={page?.step === 'reading' ? 'busy' : ''} role="status">
        {stepWords(page) ??
          (entry && (
            <a href={`${server}/kept/${entry.id}/`} target="_blank" rel="noopener">
              {sinceWords(new Date(entry.at), new Date())}
            </a>
          ))}
      </p>
      {(page?.step === 'waiting' || page?.step === 'sending') && (
        <button id="keep-undo" type="button" class="button quiet" onClick={() => void undo(page.ref)}>
          {say('undo')}
        </button>
      )}
      {page?.isAuto && page.step !== 'failed' && (
        <>
          <button id="keep-not-here" type="button" class="button quiet" onClick={() => void leaveOut(page.url)}>
            {say('keep_not_here')}
          </button>
          <a id="keep-what" href={`${server}/kept/`} target="_blank" rel="noopener">
            {say('keep_what')}
          </a>
        </>
      )}
      {failure && (
        <p id="keep-problem" class="problem" role="alert">
          {failure}
        </p>
      )}
    </div>
  )
}

function stepWords(page: KeepingTab | undefined): string | null {
  if (page?.step === 'reading') return say('share_reading')
  if (page?.step === 'waiting') return say('keep_waiting')
  if (page?.step === 'sending') return say('keep_sending')
  return null
}

function sinceWords(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return say('keep_today')
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return say('keep_since', date.toLocaleDateString(language(), { day: 'numeric', month: 'long', year }))
}

interface KeptPage {
  url: string
  at: string
  id: string
}

/** Asked anew for each page in front, and after it was kept. */
function useKeptPage(url: string | null, step: KeepingTab['step'] | undefined): KeptPage | null {
  const [page, setPage] = useState<KeptPage | null>(null)
  useEffect(() => {
    if (!url) return
    let isNewest = true
    void sendCommand({ type: 'look_kept', url }).then((outcome) => {
      if (!isNewest) return
      const { kept_at: at, kept_entry: id } = outcome.ok ? outcome : {}
      setPage(at && id ? { url, at, id } : null)
    })
    return () => void (isNewest = false)
  }, [url, step === 'kept'])
  return page && page.url === url ? page : null
}
