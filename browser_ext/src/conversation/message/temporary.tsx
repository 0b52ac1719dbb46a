import { isDrawn } from '../../state/conversation'
import type { Exchange } from '../../state/panel_state'
import { say } from '../../say'
import { MessageActions } from './message_actions'
import { LateAsks } from './late_asks'
import { Files } from './files'
import { sendCommand } from '../host'
import { Drawn, Origins, PageCard } from './message_item'
import { GoOnWith, TryAgain } from '../stopped'
import { Written } from '../text/written'
import { ReceiptLine } from './receipt'

interface ExchangesProps {
  exchanges: Exchange[]
  server: string
  isConnected: boolean
  isStopped: boolean
}

/** Temporary questions and their answers, which are stored nowhere. */
export function Exchanges({ exchanges, server, isConnected, isStopped }: ExchangesProps) {
  if (exchanges.length === 0) return null
  return (
    <>
      <li class="day">{say('temporary')}</li>
      {exchanges.map(({ turn_id, question, files, answer }) => (
        <>
          <li key={`in-${turn_id}`} class="message in temporary">
            <Files files={files} turnId={turn_id} isConnected={isConnected} isAnswered />
            <div class="text plain">{question}</div>
          </li>
          <li key={turn_id} class="message out temporary" data-turn={turn_id} data-kind={answer.kind}>
            {answer.page &&
              (isDrawn(answer) ? (
                <Drawn page={answer.page} isConnected={isConnected} />
              ) : (
                <PageCard page={answer.page} isConnected={isConnected} />
              ))}
            <Written html={answer.html} server={server} />
            <LateAsks message={answer} temporaryTurn={turn_id} />
            <Origins message={answer} server={server} />
            <ReceiptLine message={answer} server={server} />
            {(answer.kind === 'failure' || answer.kind === 'cancelled') && (
              <TryAgain isStopped={isStopped} command={{ type: 'ask_temporary_again', turn_id }} />
            )}
            {answer.goes_on && turn_id === exchanges.at(-1)?.turn_id && (
              <GoOnWith isStopped={isStopped} command={{ type: 'send', text: say('go_on'), temporary: true }} />
            )}
            <MessageActions message={answer} server={server} />
          </li>
        </>
      ))}
      <li class="day">
        <button
          id="temporary-forget"
          type="button"
          class="button quiet"
          onClick={() => void sendCommand({ type: 'forget_temporary' })}
        >
          {say('temporary_forget')}
        </button>
      </li>
    </>
  )
}
