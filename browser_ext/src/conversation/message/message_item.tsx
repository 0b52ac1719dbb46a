import { isDrawn, type Valence } from '../../state/conversation'
import type { Message, PageHeader } from '../../protocol.gen'
import { say } from '../../say'
import { MessageActions } from './message_actions'
import { Enlargeable, Files } from './files'
import { GoOnWith, TryAgain } from '../stopped'
import { LateAsks } from './late_asks'
import { ReceiptLine, UnseenLine } from './receipt'
import { Quoted } from './quoted'
import { OUTGOING, webAddress } from '../text/safe_html'
import { Thumbs } from './thumbs'
import { usePicture } from './use_picture'
import { clockOf, sitesOf } from '../words'
import { Written } from '../text/written'

export interface MessageProps {
  message: Message
  server: string
  /** The device that this browser is. */
  own: { label: string; device_id: string }
  /** The message says that a question failed or was stopped, and the question can be asked again. */
  canAskAgain: boolean
  /** The answer is not whole, and nobody asked Penny to go on with it yet. */
  canGoOn: boolean
  /** Everything is stopped: it would be refused again. */
  isStopped: boolean
  /** The page of a question, or the source of an answer. Its picture may come later. */
  page: PageHeader | null
  quotedMessage: Message | undefined
  onQuote: (message: Message) => void
  /** Missing where the server cannot delete. */
  onDelete: ((message: Message) => void) | undefined
  /** The owner's present reaction to the thought of this message. */
  reaction: Valence | undefined
  isConnected: boolean
  isAnswered: boolean
}

export function MessageItem({
  message,
  server,
  own,
  canAskAgain,
  canGoOn,
  isStopped,
  page,
  quotedMessage,
  onQuote,
  onDelete,
  reaction,
  isConnected,
  isAnswered,
}: MessageProps) {
  const { direction, kind, seq, created_at, device_label } = message
  const isOwn = message.device_id ? message.device_id === own.device_id : device_label === own.label
  const isElsewhere = direction === 'in' && !isOwn
  const bringsThought = direction === 'out' && kind === 'notification'
  return (
    <li
      class={`message ${direction}`}
      data-kind={kind}
      data-seq={seq}
      data-turn={message.turn_id ?? undefined}
      data-thought={message.thought_id ?? undefined}
      title={clockOf(created_at)}
    >
      <span class="unseen">{say(direction === 'in' ? 'speaker_you' : 'speaker_penny')}</span>
      {isElsewhere && <span class="device">{device_label}</span>}
      {page &&
        (isDrawn(message) ? (
          <Drawn page={page} isConnected={isConnected} />
        ) : (
          <PageCard page={page} isConnected={isConnected} />
        ))}
      {quotedMessage && <Quoted message={quotedMessage} />}
      <Files files={message.attachments} turnId={message.turn_id} isConnected={isConnected} isAnswered={isAnswered} />
      <Written html={message.html} server={server} />
      <LateAsks message={message} />
      <Origins message={message} server={server} />
      <ReceiptLine message={message} server={server} />
      <UnseenLine message={message} />
      {bringsThought && message.thought_id && <Thumbs thoughtId={message.thought_id} stands={reaction} />}
      {canAskAgain && <TryAgain isStopped={isStopped} command={{ type: 'ask_again', message_id: message.id }} />}
      {canGoOn && <GoOnWith isStopped={isStopped} command={{ type: 'go_on', message_id: message.id }} />}
      <MessageActions message={message} server={server} onQuote={onQuote} {...(onDelete && { onDelete })} />
    </li>
  )
}

/** Title and address come from the page: they are shown as text, never as markup. */
export function PageCard({ page, isConnected }: { page: PageHeader; isConnected: boolean }) {
  const image = usePicture(page.image, isConnected)
  const url = webAddress(page.url)
  return (
    <div class="page">
      {image && <Enlargeable name={page.title || (url?.host ?? '')} image={image} />}
      <a class="page-words" href={url?.href} target="_blank" rel={OUTGOING}>
        <b dir="auto">{page.title || url?.host}</b>
        <span>{url?.host}</span>
      </a>
      {page.read && (
        <a class="page-read" href={webAddress(page.read)?.href} target="_blank" rel={OUTGOING}>
          {say('what_penny_read')}
        </a>
      )}
    </div>
  )
}

export function Drawn({ page, isConnected }: { page: PageHeader; isConnected: boolean }) {
  const image = usePicture(page.image, isConnected)
  return image ? (
    <p class="drawn">
      <Enlargeable name={page.title} image={image} />
    </p>
  ) : null
}

export function Origins({ message, server }: { message: Message; server: string }) {
  const sites = message.direction === 'out' ? sitesOf(message.origin) : []
  const thoughtUrl =
    message.thought_id && message.direction === 'out' ? `${server}/thoughts/${message.thought_id}/` : null
  if (sites.length === 0 && !thoughtUrl) return null
  return (
    <p class="origins">
      {sites.map((site) => (
        <span key={site} class="chip">
          {say('from_site', site)}
        </span>
      ))}
      {thoughtUrl && (
        <a class="chip new" href={thoughtUrl} target="_blank" rel="noopener">
          {say('open_thought')}
        </a>
      )}
    </p>
  )
}
