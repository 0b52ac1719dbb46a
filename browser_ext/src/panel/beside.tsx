// What the sidebar adds above the box: the page beside it, or a passage of it that the owner chose.
import { useState } from 'preact/hooks'
import type { Along } from '../composer/along'
import { replaceDraft } from '../composer/composer'
import { useKept } from '../composer/use_kept'
import type { Parts, Sending } from '../composer/use_sending'
import { sendCommand as sendToPenny } from '../conversation/host'
import { Icon } from '../conversation/icon'
import { urlToStore } from '../grants/hosts'
import type { Page } from '../protocol.gen'
import { say } from '../say'
import type { Proposal } from '../state/proposal'
import { canInclude } from '../state/sharing'
import { stored } from '../state/stored'
import { sendCommand } from '../own_pages/background_link'
import { whilePaired } from './host'
import { Passage, SharedPage } from './share_page'
import { useFrontSite, type FrontSite } from './tab_chip'
import { SightButton, SightOfPage, useSight, type SightState } from './sight'
import { useProposal } from './use_proposal'
import { useSharing, type Sharing } from './use_sharing'

export interface BesidePage {
  sharing: Sharing
  front: FrontSite
  sight: SightState
  passage: Page | null
  setPassage: (page: Page | null) => void
  along: Along
  isSummarising: boolean
  setSummarising: (isIt: boolean) => void
}

const draftPassage = whilePaired(stored.draftPassage)

export function useBeside(server: string): BesidePage {
  const sharing = useSharing()
  const [passage, setPassage] = useKept<Page | null>(draftPassage, null)
  const front = useFrontSite(sharing.tab, server)
  const sight = useSight(sharing.tab)
  const [isSummarising, setSummarising] = useState(false)
  const along = {
    page: passage ?? sharing.page,
    thoughtId: null,
    tab: front.host,
    isReading: sharing.isOn && !sharing.page,
    clear: () => {
      setPassage(null)
      void sharing.include(false)
    },
  }
  return { sharing, front, sight, passage, setPassage, along, isSummarising, setSummarising }
}

interface PartProps {
  beside: BesidePage
  parts: Parts
  sending: Sending
}

/** Above the field: what of the page goes along. */
export function Above({ beside, parts, sending, proposal }: PartProps & { proposal: Proposal | null }) {
  const { sharing, passage, setPassage } = beside
  useProposal(proposal, sharing.tab !== null || !proposal?.wants, (chosenThing) => {
    takeProposal(chosenThing, beside, parts, sending)
    if (chosenThing.wants === 'summary') void summarise(beside, parts, sending, chosenThing.tabId)
  })
  const leave = () => (setPassage(null), parts.field.current?.focus())
  return (
    <>
      <SightOfPage sight={beside.sight} field={parts.field} />
      {passage ? <Passage page={passage} onLeave={leave} /> : <SharedPage sharing={sharing} />}
    </>
  )
}

/** Beside the field, while nothing is written: what else can be done with the page. */
export function PageActs({ beside, server, parts, sending }: PartProps & { server: string }) {
  const { sharing, passage, isSummarising } = beside
  const url = sharing.tab?.url
  if (passage || !url || !canInclude(url, server)) return null
  return (
    <span class="page-acts">
      <button
        id="summarise"
        type="button"
        class="button"
        aria-label={say(isSummarising ? 'share_reading' : 'share_summarise')}
        title={say('share_summarise')}
        disabled={isSummarising}
        onClick={() => void summarise(beside, parts, sending)}
      >
        <span class="word">{say(isSummarising ? 'share_reading' : 'share_summarise_short')}</span>
        <Icon path="M5 6h14M5 11h14M5 16h8" />
      </button>
      <a
        id="watch-page"
        class="button"
        aria-label={say('share_watch')}
        title={say('share_watch')}
        href={watchAddress(server, url)}
        target="_blank"
        rel="noopener"
      >
        <span class="word">{say('share_watch_short')}</span>
        <Icon path="M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z" />
      </a>
      <SightButton sight={beside.sight} />
      <button
        id="keep-page"
        type="button"
        class="button"
        aria-label={say('keep_page')}
        title={say('keep_page')}
        onClick={() => void keepPage(beside)}
      >
        <Icon path="M6 4h12v16l-6-5-6 5z" />
      </button>
    </span>
  )
}

/** The line above the field says what becomes of it, and why not. */
async function keepPage({ sharing: { tab } }: BesidePage): Promise<void> {
  if (tab?.id !== undefined && tab.url) await sendCommand({ type: 'keep_tab', tab_id: tab.id, url: tab.url })
}

/** Address of the form for a new watch, without what looks like a secret in the URL of the page. */
function watchAddress(server: string, url: string): string {
  return `${server}/watches/?url=${encodeURIComponent(urlToStore(new URL(url)))}`
}

/** Ask for a summary of a tab, by default the one beside the panel. */
async function summarise(
  { sharing, setSummarising }: BesidePage,
  { field, isTemporary }: Parts,
  { show }: Sending,
  tabId?: number,
): Promise<void> {
  setSummarising(true)
  field.current?.focus()
  const reading = await sharing.readPage(tabId)
  const along = isTemporary ? { temporary: true } : {}
  show(
    reading.ok && reading.page
      ? await sendToPenny({ type: 'send', text: say('summary'), page: reading.page, ...along })
      : reading,
  )
  setSummarising(false)
}

/** Take what the owner chose outside the panel: words, a page, a file, or a wish to read their tab. */
function takeProposal(
  { text, page, file, wants, tabId, problem }: Proposal,
  { sharing, setPassage }: BesidePage,
  parts: Parts,
  { setProblem }: Sending,
): void {
  const { draft, attaching, field } = parts
  setProblem(problem ?? '')
  if (page) setPassage(page)
  if (file) attaching.addReady(file)
  if (text && page) replaceDraft(parts, text) // with a passage, the words are the whole question
  else if (text) draft.append(text)
  if (wants === 'page' && tabId === sharing.tab?.id) void sharing.include(true)
  else if (wants === 'page') setProblem(say('propose_gone'))
  field.current?.focus()
}
