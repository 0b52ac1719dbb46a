import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CommandCompletion } from './command_completion'
import type { CommandInfo } from '../protocol.gen'
import { say } from '../say'
import { sendCommand } from '../conversation/host'

/** Commands that continue the words in the box. */
export function Completions({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (field.current && list.current) new CommandCompletion({ field: field.current, list: list.current, find })
  }, [])
  return <ul id="commands" ref={list} class="commands" role="listbox" aria-label={say('commands')} hidden />
}

/** Empty without a connection. */
async function find(beginning: string): Promise<CommandInfo[]> {
  const outcome = await sendCommand({ type: 'complete', begun: beginning })
  return outcome.ok ? (outcome.commands ?? []) : []
}
