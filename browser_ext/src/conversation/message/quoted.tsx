import type { Message } from '../../protocol.gen'
import { say } from '../../say'
import { plainText } from '../text/plain_text'

const CHARACTERS = 160

/** The beginning of the message that another one replies to. Shown as text: it may come from a page. */
export function Quoted({ message }: { message: Message }) {
  const text = plainText(message.html)
  return (
    <blockquote class="quoted" dir="auto">
      <b>{message.direction === 'in' ? say('you') : 'Penny'}</b>{' '}
      {text.length > CHARACTERS ? `${text.slice(0, CHARACTERS).trimEnd()} …` : text}
    </blockquote>
  )
}
