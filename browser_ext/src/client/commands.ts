// What each command of the conversation does.
import { canGoOnWith, MAIN, messagesContaining, questionToRetry, type View } from '../state/conversation'
import { byteLength, encodeFrame, FRAME_BYTES, MESSAGE_CHARACTERS, type RequestFrame } from '../server/frames'
import { withoutAsk } from '../state/asks'
import { chatSend, queuedEntries, withRetryOf, without, withNew, withRetry } from '../state/outbox'
import {
  saidInPassing,
  type ConversationCommand,
  type Failure,
  type GrantChoice,
  type Outcome,
  type PanelCommand,
  type PanelCommandOf,
  type PanelState,
} from '../state/panel_state'
import type { GrantAnswer, Page } from '../protocol.gen'
import { say } from '../say'
import { newId } from '../new_id'
import type { ConversationTarget } from './target'

/** A handler for each of some types of commands. */
export type CommandTable<Target, Types extends PanelCommand['type']> = {
  [Type in Types]: (target: Target, command: PanelCommandOf<Type>) => Promise<Outcome | void>
}

const OLDER_MESSAGES = 50
const SEARCH_CHARACTERS = 200
const UNANSWERED_MS = 15_000
const ANSWERS: Record<GrantChoice, Pick<GrantAnswer, 'decision' | 'scope' | 'session'>> = {
  once: { decision: 'allow', scope: 'once' },
  run: { decision: 'allow', scope: 'run' },
  hour: { decision: 'allow', scope: 'hour' },
  always: { decision: 'allow', scope: 'always' },
  always_clean: { decision: 'allow', scope: 'always', session: 'clean' },
  block: { decision: 'block', scope: 'always' },
  dismiss: { decision: 'dismiss' },
}

/** `reconnect` and `picture` depend on the connection. */
export const CONVERSATION_COMMANDS: CommandTable<
  ConversationTarget,
  Exclude<ConversationCommand['type'], 'reconnect' | 'picture'>
> = {
  send,
  retry: async (target, { turn_id }) => {
    await target.memory.setOutbox(withRetryOf(target.memory.panel.unsent, turn_id))
    sendQueued(target, turn_id)
  },
  ask_again: askAgain,
  go_on: goOn,
  discard: ({ memory }, { turn_id }) => memory.setOutbox(without(memory.panel.unsent, turn_id)),
  cancel: async ({ connection }, { turn_id }) => outcomeOfSending(connection.send({ type: 'turn.cancel', turn_id })),
  answer_grant: async (target, { request_id, choice }) => {
    const isSent = target.connection.send({ type: 'grant.answer', request_id, ...ANSWERS[choice] })
    return removeAskIfSent(target, request_id, isSent)
  },
  revoke_grant: (target, { grant }) => outcomeOf(target, { type: 'grant.revoke', ...grant }, grant.host),
  answer_approval: async (target, { request_id, choice, words }) => {
    const isSent = target.connection.send({
      type: 'approval.answer',
      request_id,
      decision: choice,
      ...(words && { words }),
    })
    return removeAskIfSent(target, request_id, isSent)
  },
  allow_late: allowLate,
  steer: (target, { errand_id, act }) =>
    withRef(target, (ref) => ({ type: 'errand.command', ref, errand_id, do: act })),
  react: (target, { thought_id, valence }) =>
    outcomeOf(target, { type: 'thought.react', thought_id, valence }, thought_id),
  unreact: (target, { thought_id, valence }) =>
    outcomeOf(target, { type: 'thought.unreact', thought_id, valence }, thought_id),
  older: async ({ connection, memory }, { before_seq, limit, thread }) =>
    outcomeOfSending(
      connection.send({
        type: 'history.fetch',
        before_seq,
        limit: limit ?? OLDER_MESSAGES,
        ...viewOf(memory.panel, thread),
      }),
    ),
  search,
  complete: (target, { begun }) => complete(target, begun),
  set_temporary: ({ memory }, { on }) => memory.setTemporary(on),
  ask_temporary_again: askTemporaryAgain,
  forget_temporary: async ({ memory }) => memory.show({ temporary: [] }),
  find_threads: (target, { text }) =>
    withRef(target, (ref) => ({ type: 'threads.fetch', ref, text: text.slice(0, SEARCH_CHARACTERS) })),
  rename_thread: (target, { thread_id, name }) =>
    withRef(target, (ref) => ({ type: 'thread.rename', ref, thread_id, name })),
  delete_thread: (target, { thread_id }) => withRef(target, (ref) => ({ type: 'thread.delete', ref, thread_id })),
  restore_thread: (target, { thread_id }) => withRef(target, (ref) => ({ type: 'thread.restore', ref, thread_id })),
  delete_message: (target, { message_id }) => withRef(target, (ref) => ({ type: 'message.delete', ref, message_id })),
  restore_message: (target, { message_id }) => withRef(target, (ref) => ({ type: 'message.restore', ref, message_id })),
  send_file: (target, { frame }) => outcomeOf(target, frame, frame.ref),
  close_notice: async ({ memory }) => memory.show({ notice: null }),
}

/** Run the handler of a command. Throws what the handler throws. */
export async function runCommand<Target, Types extends PanelCommand['type']>(
  table: CommandTable<Target, Types>,
  target: Target,
  command: PanelCommandOf<Types>,
): Promise<Outcome> {
  const act = table[command.type] as (target: Target, command: PanelCommand) => Promise<Outcome | void>
  return (await act(target, command)) ?? { ok: true }
}

/** Send the messages that the server does not have yet, or one of them. It recognises a repeated `turn_id`. */
export function sendQueued({ memory, connection }: ConversationTarget, turn_id?: string): void {
  queuedEntries(memory.panel.unsent)
    .filter((entry) => turn_id === undefined || entry.turn_id === turn_id)
    .forEach((entry) => connection.send(chatSend(entry, saidInPassing(memory.panel.temporary))))
}

/** Send again what the server has not answered for a while. */
export function sendUnanswered(target: ConversationTarget): void {
  queuedEntries(target.memory.panel.unsent)
    .filter((entry) => Date.now() - Date.parse(entry.created_at) > UNANSWERED_MS)
    .forEach((entry) => sendQueued(target, entry.turn_id))
}

/** Store the message before answering, so that the panel may clear its draft. */
async function send(
  target: ConversationTarget,
  { text, page, thought_id, parent_id, thread, temporary, mode, tab, attachments }: PanelCommandOf<'send'>,
): Promise<Outcome | void> {
  if (!text.trim()) return refusal(say('nothing_to_send'))
  if (text.length > MESSAGE_CHARACTERS) return refusal(say('message_too_long'))
  if (page && attachments?.length) return refusal(say('share_or_files'))
  const turn_id = newId()
  const messageWith = (page?: Page) => ({
    turn_id,
    text,
    ...(page && { page }),
    ...(thought_id && { thought_id }),
    ...(parent_id && { parent_id }),
    ...(thread && thread !== MAIN && !temporary && { thread }),
    ...(temporary && { temporary }),
    ...(mode && { mode }),
    ...(tab && { tab }),
    ...(attachments?.length && { attachments }),
  })
  const fits = (page?: Page) => byteLength(encodeFrame(chatSend(messageWith(page)))) <= FRAME_BYTES
  const fitting = page && fits(page) ? page : withoutImage(page)
  if (!fits(fitting)) return refusal(say(attachments?.length ? 'files_too_long' : 'page_too_long'))
  await target.memory.setOutbox(withNew(target.memory.panel.unsent, messageWith(fitting), new Date()))
  sendQueued(target, turn_id)
}

/** Send the question of a failed turn again. */
async function askAgain(
  target: ConversationTarget,
  { message_id }: PanelCommandOf<'ask_again'>,
): Promise<Outcome | void> {
  const { messages, unsent } = target.memory.panel
  const failure = messages.find((message) => message.id === message_id)
  const question = failure && questionToRetry(messages, failure)
  if (!question) return refusal(say('asked_again_already'))
  await target.memory.setOutbox(withRetry(unsent, question.text, failure, new Date()))
  sendQueued(target, failure.id)
}

/** Ask Penny to go on with an answer that is not whole. */
async function goOn(target: ConversationTarget, { message_id }: PanelCommandOf<'go_on'>): Promise<Outcome | void> {
  const { messages, unsent } = target.memory.panel
  const answer = messages.find((message) => message.id === message_id)
  if (!answer || !canGoOnWith(messages, answer)) return refusal(say('asked_again_already'))
  await target.memory.setOutbox(withRetry(unsent, say('go_on'), answer, new Date()))
  sendQueued(target, answer.id)
}

/** Ask a failed temporary question again. The failed exchange is removed. */
async function askTemporaryAgain(
  target: ConversationTarget,
  { turn_id }: PanelCommandOf<'ask_temporary_again'>,
): Promise<Outcome | void> {
  const { temporary } = target.memory.panel
  const exchange = temporary.find((exchange) => exchange.turn_id === turn_id)
  if (!exchange) return refusal(say('asked_again_already'))
  target.memory.show({ temporary: temporary.filter((other) => other !== exchange) })
  const { question, page, files } = exchange
  return send(target, {
    type: 'send',
    text: question,
    temporary: true,
    ...(page && { page }),
    ...(files && { attachments: files }),
  })
}

/** Answer yes to a question whose time was over. The server asks its message again, which it has. */
async function allowLate(
  target: ConversationTarget,
  { ask_id, temporary_turn }: PanelCommandOf<'allow_late'>,
): Promise<Outcome> {
  const turn_id = newId()
  const outcome = await outcomeOf(target, { type: 'ask.late', ask_id, turn_id }, turn_id)
  const { temporary, unsent } = target.memory.panel
  const exchange = temporary.find((exchange) => exchange.turn_id === temporary_turn)
  if (!outcome.ok || !exchange) return outcome
  // The server sends no temporary question back: what waits for the answer is this one.
  const { question, page, files } = exchange
  const draft = {
    turn_id,
    text: question,
    temporary: true,
    ...(page && { page }),
    ...(files && { attachments: files }),
  }
  target.memory.show({ temporary: temporary.filter((other) => other !== exchange) })
  await target.memory.setOutbox(withNew(unsent, draft, new Date()))
  return outcome
}

function withoutImage(page: Page | undefined): Page | undefined {
  if (!page) return page
  const { image: _, ...rest } = page
  return rest
}

/** Search on the server; without a connection, search the messages that this browser stores. */
async function search(
  { connection, answers, memory }: ConversationTarget,
  { text, before_seq, thread }: PanelCommandOf<'search'>,
): Promise<Outcome> {
  const ref = newId()
  const isSent = connection.send({
    type: 'history.search',
    ref,
    text: text.slice(0, SEARCH_CHARACTERS),
    ...(before_seq && { before_seq }),
    ...viewOf(memory.panel, thread),
  })
  const here = memory.panel.messages.filter((message) => !thread || (message.thread ?? MAIN) === thread)
  return isSent ? answers.to(ref) : { ok: true, matches: messagesContaining(here, text), more: false }
}

/** The view that a frame asks about. A server that knows no threads would refuse the field. */
function viewOf({ threads }: PanelState, thread: View | undefined): { thread?: View } {
  return threads && thread ? { thread } : {}
}

function withRef(target: ConversationTarget, frame: (ref: string) => RequestFrame): Promise<Outcome> {
  const ref = newId()
  return outcomeOf(target, frame(ref), ref)
}

/** Fetch the commands that continue the beginning of a name. */
async function complete(target: ConversationTarget, beginning: string): Promise<Outcome> {
  const ref = newId()
  return outcomeOf(target, { type: 'commands.fetch', ref, begun: beginning.slice(0, 32) }, ref)
}

/** Resolve with the server's answer to the frame. */
export async function outcomeOf(
  { connection, answers }: ConversationTarget,
  frame: RequestFrame,
  ref: string,
): Promise<Outcome> {
  return connection.send(frame) ? answers.to(ref) : { ...refusal(say('offline')), is_lost: true }
}

function removeAskIfSent(target: ConversationTarget, request_id: string, isSent: boolean): Outcome {
  if (isSent) target.memory.show({ asks: withoutAsk(target.memory.panel.asks, request_id) })
  return outcomeOfSending(isSent)
}

function outcomeOfSending(isSent: boolean): Outcome {
  return isSent ? { ok: true } : refusal(say('offline'))
}

export function refusal(message: string): Failure {
  return { ok: false, message }
}
