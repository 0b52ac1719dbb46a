import { useCallback, useState } from 'preact/hooks'
import type { Message } from '../../protocol.gen'
import { sendCommand } from '../host'

export interface Deletion {
  /** The message that was deleted last. */
  message: Message | null
  problem: string
  remove: (message: Message) => void
  undo: () => Promise<void>
  close: () => void
}

/** Delete messages, and take the last deletion back. */
export function useDeletion(): Deletion {
  const [message, setMessage] = useState<Message | null>(null)
  const [problem, setProblem] = useState('')
  const remove = useCallback((deleted: Message) => {
    void sendCommand({ type: 'delete_message', message_id: deleted.id }).then((outcome) => {
      setProblem(outcome.ok ? '' : outcome.message)
      setMessage(outcome.ok ? deleted : null)
    })
  }, [])
  const close = () => {
    setMessage(null)
    setProblem('')
  }
  const undo = async () => {
    if (!message) return
    const outcome = await sendCommand({ type: 'restore_message', message_id: message.id })
    setMessage(null)
    setProblem(outcome.ok ? '' : outcome.message)
    document.getElementById('log')?.focus()
  }
  return { message, problem, remove, undo, close }
}
