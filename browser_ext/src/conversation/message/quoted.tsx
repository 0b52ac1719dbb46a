import type { Message } from '../../protocol.gen'
import { say } from '../../say'

const CHARACTERS = 160

/** The beginning of the message that another one replies to. Shown as text: it may come from a page. */
export function Quoted({ message }: { message: Message }) {
  const { text, direction } = message
  return (
    <blockquote class="quoted">
      <b>{direction === 'in' ? say('you') : 'Penny'}</b>{' '}
      {text.length > CHARACTERS ? `${text.slice(0, CHARACTERS).trimEnd()} …` : text}
    </blockquote>
  )
}
