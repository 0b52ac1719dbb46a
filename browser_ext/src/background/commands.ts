// What each command of the panel and of the options page does. A command without an entry does not compile.
import { withoutAsk } from '../state/asks'
import { messagesContaining, questionToRetry } from '../state/conversation'
import { byteLength, encodeFrame, FRAME_BYTES, MESSAGE_CHARACTERS, type RequestFrame } from '../server/frames'
import { chatSend, withRetryOf, without, withNew, withRetry } from '../state/outbox'
import type { GrantChoice, Outcome, PanelCommand, PanelCommandOf } from '../state/panel_state'
import type { GrantAnswer, Page } from '../protocol.gen'
import { say } from '../say'
import { forgetKeys } from '../server/identity'
import { pair, PairingFailed } from '../server/pairing'
import { BadAddress } from '../server/address'
import { setPictures } from '../tools/pictures_permission'
import { ToolFailure } from '../page_tabs/call_context'
import type { Penny } from './penny'
import { sharedPage } from './shared_page'

type Table = {
  [Type in PanelCommand['type']]: (penny: Penny, command: PanelCommandOf<Type>) => Promise<Outcome | void>
}

const OLDER_MESSAGES = 50
const SEARCH_CHARACTERS = 200
const HOST_CHARACTERS = 260
const LABEL_CHARACTERS = 64
const LIKES_MOST = 20
const LIKE_CHARACTERS = 300
const PICTURE = /\/pictures\/([0-9a-f]{64})\.webp$/

const ANSWERS: Record<GrantChoice, Pick<GrantAnswer, 'decision' | 'scope'>> = {
  once: { decision: 'allow', scope: 'once' },
  run: { decision: 'allow', scope: 'run' },
  hour: { decision: 'allow', scope: 'hour' },
  always: { decision: 'allow', scope: 'always' },
  block: { decision: 'block', scope: 'always' },
  dismiss: { decision: 'dismiss' },
}

const table: Table = {
  pair: startPairing,
  unpair: async (penny) => {
    await forgetKeys()
    await penny.history.leave()
    await penny.memory.forgetServer()
    await penny.reconnect()
  },
  reconnect: (penny) => penny.reconnect(),
  read_tab: readTab,
  send,
  retry: async (penny, { turn_id }) => {
    await penny.memory.setOutbox(withRetryOf(penny.memory.panel.unsent, turn_id))
    penny.sendQueued(turn_id)
  },
  ask_again: askAgain,
  discard: ({ memory }, { turn_id }) => memory.setOutbox(without(memory.panel.unsent, turn_id)),
  cancel: async (penny, { turn_id }) => outcomeOfSending(penny.connection.send({ type: 'turn.cancel', turn_id })),
  answer_grant: async (penny, { request_id, choice }) => {
    const isSent = penny.connection.send({ type: 'grant.answer', request_id, ...ANSWERS[choice] })
    return removeAskIfSent(penny, request_id, isSent)
  },
  answer_approval: async (penny, { request_id, choice }) => {
    const isSent = penny.connection.send({ type: 'approval.answer', request_id, decision: choice })
    return removeAskIfSent(penny, request_id, isSent)
  },
  react: (penny, { thought_id, valence }) =>
    outcomeOf(penny, { type: 'thought.react', thought_id, valence }, thought_id),
  unreact: (penny, { thought_id, valence }) =>
    outcomeOf(penny, { type: 'thought.unreact', thought_id, valence }, thought_id),
  set_tool_use: async (penny, { on }) => {
    await penny.memory.setToolSwitch({ on, unsent: true })
    if (!on) penny.tools.abortAll('tools_off')
    await penny.tellToolSwitch()
  },
  set_pictures: async (penny, { on }) => {
    const isOn = await setPictures(on)
    await penny.reconnect() // the server learns the tools of this browser when it connects
    if (on && !isOn) return refusal(say('pictures_not_allowed'))
  },
  set_history: (penny, { on }) => penny.history.setSharing(on),
  set_history_own: (penny, { list }) => penny.history.setOwn(list),
  older: async ({ connection }, { before_seq, limit }) =>
    outcomeOfSending(connection.send({ type: 'history.fetch', before_seq, limit: limit ?? OLDER_MESSAGES })),
  search,
  complete: (penny, { begun }) => complete(penny, begun),
  picture: (penny, { address }) => penny.pictures.next(() => picture(penny, address)),
  take_proposal: async ({ memory }, { id }) => {
    if (memory.panel.proposal?.id !== id) return refusal(say('did_not_work'))
    memory.show({ proposal: null })
  },
  set_temporary: ({ memory }, { on }) => memory.setTemporary(on),
  ask_temporary_again: askTemporaryAgain,
  forget_temporary: async ({ memory }) => memory.show({ temporary: [] }),
  close_notice: async ({ memory }) => memory.show({ notice: null }),
  set_grant: setGrant,
  revoke_grant: async (penny, { grant }) => outcomeOf(penny, { type: 'grant.revoke', ...grant }, grant.host),
  rename,
  set_purpose: setPurpose,
  forget_everything: async (penny) => {
    await penny.disconnect()
    await forgetKeys()
    await penny.history.forget()
    await penny.memory.forgetEverything()
    await penny.reconnect()
  },
}

/** Never throw: the outcome holds what failed, in words for the owner. */
export async function obey(penny: Penny, command: PanelCommand): Promise<Outcome> {
  try {
    const act = table[command.type] as (penny: Penny, command: PanelCommand) => Promise<Outcome | void>
    return (await act(penny, command)) ?? { ok: true }
  } catch (failure) {
    if (failure instanceof PairingFailed || failure instanceof BadAddress || failure instanceof ToolFailure)
      return { ok: false, message: failure.message }
    console.error('Penny: the command failed', command.type, failure)
    return refusal(say('did_not_work'))
  }
}

export function isPanelCommand(value: unknown): value is PanelCommand {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && Object.hasOwn(table, value.type)
}

async function startPairing(penny: Penny, form: PanelCommandOf<'pair'>): Promise<void> {
  const pairing = await pair(form)
  penny.connection.stop()
  await penny.history.leave()
  await penny.memory.pairedWith(pairing)
  await penny.reconnect()
}

async function readTab(penny: Penny, { tab_id }: PanelCommandOf<'read_tab'>): Promise<Outcome> {
  const { pairing } = penny.memory
  if (!pairing) return refusal(say('not_paired_yet'))
  return { ok: true, page: await sharedPage(tab_id, pairing.server, (url) => penny.permits(url)) }
}

/** Store the message before answering, so that the panel may clear its draft. */
async function send(
  penny: Penny,
  { text, page, parent_id, temporary, attachments }: PanelCommandOf<'send'>,
): Promise<Outcome | void> {
  if (!text.trim()) return refusal(say('nothing_to_send'))
  if (text.length > MESSAGE_CHARACTERS) return refusal(say('message_too_long'))
  if (page && attachments?.length) return refusal(say('share_or_files'))
  const turn_id = crypto.randomUUID()
  const messageWith = (page?: Page) => ({
    turn_id,
    text,
    ...(page && { page }),
    ...(parent_id && { parent_id }),
    ...(temporary && { temporary }),
    ...(attachments?.length && { attachments }),
  })
  const fits = (page?: Page) => byteLength(encodeFrame(chatSend(messageWith(page)))) <= FRAME_BYTES
  const fitting = page && fits(page) ? page : withoutImage(page)
  if (!fits(fitting)) return refusal(say(attachments?.length ? 'files_too_long' : 'page_too_long'))
  await penny.memory.setOutbox(withNew(penny.memory.panel.unsent, messageWith(fitting), new Date()))
  penny.sendQueued(turn_id)
}

/** Send the question of a failed turn again. */
async function askAgain(penny: Penny, { message_id }: PanelCommandOf<'ask_again'>): Promise<Outcome | void> {
  const { messages, unsent } = penny.memory.panel
  const failure = messages.find((message) => message.id === message_id)
  const question = failure && questionToRetry(messages, failure)
  if (!question) return refusal(say('asked_again_already'))
  await penny.memory.setOutbox(withRetry(unsent, question, failure, new Date()))
  penny.sendQueued(failure.id)
}

/** Ask a failed temporary question again. The failed exchange is removed. */
async function askTemporaryAgain(
  penny: Penny,
  { turn_id }: PanelCommandOf<'ask_temporary_again'>,
): Promise<Outcome | void> {
  const { temporary } = penny.memory.panel
  const exchange = temporary.find((exchange) => exchange.turn_id === turn_id)
  if (!exchange) return refusal(say('asked_again_already'))
  penny.memory.show({ temporary: temporary.filter((other) => other !== exchange) })
  const { question, page, files } = exchange
  return send(penny, {
    type: 'send',
    text: question,
    temporary: true,
    ...(page && { page }),
    ...(files && { attachments: files }),
  })
}

function withoutImage(page: Page | undefined): Page | undefined {
  if (!page) return page
  const { image: _, ...rest } = page
  return rest
}

/** Search on the server; without a connection, search the messages that this browser stores. */
async function search(
  { connection, answers, memory }: Penny,
  { text, before_seq }: PanelCommandOf<'search'>,
): Promise<Outcome> {
  const ref = crypto.randomUUID()
  const isSent = connection.send({
    type: 'history.search',
    ref,
    text: text.slice(0, SEARCH_CHARACTERS),
    ...(before_seq && { before_seq }),
  })
  return isSent ? answers.to(ref) : { ok: true, matches: messagesContaining(memory.panel.messages, text), more: false }
}

/** The server normalises the host. Only what could not be sent in a frame is refused here. */
async function setGrant(penny: Penny, { grant }: PanelCommandOf<'set_grant'>): Promise<Outcome> {
  const host = grant.host.trim()
  if (!host) return refusal(say('type_a_site'))
  if (host.length > HOST_CHARACTERS) return refusal(say('site_too_long'))
  return outcomeOf(penny, { type: 'grant.set', ...grant, host }, host)
}

/** One preference a line. A line that is too long is refused, not cut: only the owner may shorten it. */
async function setPurpose(penny: Penny, { thinks, likes }: PanelCommandOf<'set_purpose'>): Promise<Outcome> {
  if (likes.length > LIKES_MOST) return refusal(say('likes_many', LIKES_MOST))
  if (likes.some((like) => like.length > LIKE_CHARACTERS)) return refusal(say('like_long', LIKE_CHARACTERS))
  const ref = crypto.randomUUID()
  return outcomeOf(penny, { type: 'purpose.set', ref, thinks, likes }, ref)
}

async function rename(penny: Penny, command: PanelCommandOf<'rename'>): Promise<Outcome> {
  const label = command.label.trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(label)) return refusal(say('name_needed'))
  if (label.length > LABEL_CHARACTERS) return refusal(say('name_too_long', LABEL_CHARACTERS))
  const ref = crypto.randomUUID()
  const outcome = await outcomeOf(penny, { type: 'device.update', ref, label }, ref)
  if (outcome.ok) await penny.memory.relabel(label)
  return outcome
}

/** Fetch the commands that continue the beginning of a name. */
async function complete(penny: Penny, beginning: string): Promise<Outcome> {
  const ref = crypto.randomUUID()
  return outcomeOf(penny, { type: 'commands.fetch', ref, begun: beginning.slice(0, 32) }, ref)
}

/** Fetch a picture of a message over the socket: the server lets only its own signed-in pages embed it. */
async function picture(penny: Penny, address: string): Promise<Outcome> {
  const name = PICTURE.exec(address)?.[1]
  if (!name) return refusal(say('no_picture'))
  const ref = crypto.randomUUID()
  return outcomeOf(penny, { type: 'picture.fetch', ref, name }, ref)
}

/** Resolve with the server's answer to the frame. */
async function outcomeOf({ connection, answers }: Penny, frame: RequestFrame, ref: string): Promise<Outcome> {
  return connection.send(frame) ? answers.to(ref) : refusal(say('offline'))
}

function removeAskIfSent(penny: Penny, request_id: string, isSent: boolean): Outcome {
  if (isSent) penny.memory.show({ asks: withoutAsk(penny.memory.panel.asks, request_id) })
  return outcomeOfSending(isSent)
}

function outcomeOfSending(isSent: boolean): Outcome {
  return isSent ? { ok: true } : refusal(say('offline'))
}

function refusal(message: string): Outcome {
  return { ok: false, message }
}
