import { useLayoutEffect } from 'preact/hooks'
import { Composer } from '../composer/composer'
import type { Message } from '../protocol.gen'
import type { Proposal } from '../state/proposal'
import type { KeepingTab, PanelState } from '../state/panel_state'
import type { Turn } from '../state/turns'
import { Above, PageActs, useBeside } from './beside'
import { KeptLine } from './kept_line'
import { PageChip } from './share_page'
import { TabChip } from './tab_chip'

interface PanelComposerProps {
  turns: Turn[]
  server: string
  isTemporary: boolean
  obstacle: PanelState['obstacle']
  keeping: KeepingTab[]
  isConnected: boolean
  proposal: Proposal | null
  quotedMessage: Message | null
  onQuote: (message: Message | null) => void
}

/** The composer with the page beside the sidebar. */
export function PanelComposer({ proposal, keeping, isConnected, ...rest }: PanelComposerProps) {
  const beside = useBeside(rest.server)
  const { sharing, front, passage } = beside
  const { server } = rest
  useLayoutEffect(focusBox, [])
  return (
    <Composer
      {...rest}
      along={beside.along}
      above={(parts, sending) => (
        <>
          <KeptLine tab={sharing.tab} keeping={keeping} server={server} isConnected={isConnected} />
          <Above beside={beside} parts={parts} sending={sending} proposal={proposal} />
        </>
      )}
      beside={(parts, sending) => <PageActs beside={beside} server={server} parts={parts} sending={sending} />}
      inBar={({ mode }) =>
        mode.isActing ? (
          <TabChip front={front} onShow={() => void sharing.include(false)} />
        ) : (
          !passage && <PageChip sharing={sharing} server={server} />
        )
      }
    />
  )
}

/** The panel opens with the caret in the box, unless that would bring up a keyboard. */
function focusBox(): void {
  const isFree = document.activeElement === document.body || document.activeElement === null
  if (isFree && !matchMedia('(pointer: coarse)').matches)
    document.getElementById('composer')?.focus({ preventScroll: true })
}
