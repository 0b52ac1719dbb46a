// What each command of the panel and of the options page does. A command without an entry does not compile.
import { CONVERSATION_COMMANDS, outcomeOf, refusal, runCommand, type CommandTable } from '../client/commands'
import type { Outcome, PanelCommand, PanelCommandOf } from '../state/panel_state'
import { say } from '../say'
import { covers, decidingHost } from '../grants/grants'
import { hostOf, webUrl } from '../grants/hosts'
import { forgetKeys } from '../server/identity'
import { pair, PairingFailed } from '../server/pairing'
import { BadAddress } from '../server/address'
import { setPictures } from '../tools/pictures_permission'
import { ToolFailure } from '../page_tabs/call_context'
import { sightOfTab } from '../tools/acting/preview'
import { pairingOffer } from '../page_tabs/pairing_offer'
import { keyOf } from '../vault/look'
import type { Penny } from './penny'
import { sharedPage } from './shared_page'

const HOST_CHARACTERS = 260
const LABEL_CHARACTERS = 64
const LIKES_MOST = 20
const LIKE_CHARACTERS = 300
const PICTURE = /\/pictures\/([0-9a-f]{64})\.webp$/

const table: CommandTable<Penny, PanelCommand['type']> = {
  ...CONVERSATION_COMMANDS,
  pair: startPairing,
  find_offer: findOffer,
  pair_offered: pairOffered,
  unpair: async (penny) => {
    await forgetKeys()
    await penny.history.leave()
    await penny.vault.leave()
    await penny.keeper.leave()
    await penny.memory.forgetServer()
    await penny.reconnect()
  },
  reconnect: (penny) => penny.reconnect(),
  read_tab: readTab,
  see_tab: seeTab,
  keep_tab: (penny, { tab_id, url }) => penny.vault.keep({ tab_id, url }),
  undo_keeping: async (penny, { ref }) => ((await penny.vault.undo(ref)) ? { ok: true } : refusal(say('keep_sent'))),
  look_kept: lookKept,
  set_keeping: (penny, { mode }) => penny.keeper.setMode(mode),
  leave_site_out: leaveSiteOut,
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
  picture: (penny, { address }) => penny.pictures.next(() => picture(penny, address)),
  take_proposal: async ({ memory }, { id }) => {
    if (memory.panel.proposal?.id !== id) return refusal(say('did_not_work'))
    memory.show({ proposal: null })
  },
  set_grant: setGrant,
  rename,
  set_purpose: setPurpose,
  forget_everything: async (penny) => {
    await penny.disconnect()
    await forgetKeys()
    await penny.history.forget()
    await penny.vault.leave()
    await penny.keeper.leave()
    await penny.memory.forgetEverything()
    await penny.reconnect()
  },
}

/** Never throw: the outcome holds what failed, in words for the owner. */
export async function obey(penny: Penny, command: PanelCommand): Promise<Outcome> {
  try {
    return await runCommand(table, penny, command)
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
  await penny.vault.leave()
  await penny.keeper.leave()
  await penny.memory.pairedWith(pairing)
  await penny.reconnect()
}

/** The code stays here: the panel learns the address alone, and only what the owner looks at can be connected. */
async function findOffer(_penny: Penny, { tab_id }: PanelCommandOf<'find_offer'>): Promise<Outcome> {
  const offer = await pairingOffer(tab_id)
  return offer ? { ok: true, server: offer.server } : { ok: true }
}

/** The page may have a newer code by now. Another address than the one that the owner read is refused. */
async function pairOffered(
  penny: Penny,
  { tab_id, server, label }: PanelCommandOf<'pair_offered'>,
): Promise<Outcome | undefined> {
  const offer = await pairingOffer(tab_id)
  if (offer?.server !== server) return refusal(say('offer_changed'))
  await startPairing(penny, { type: 'pair', server, code: offer.code, label })
}

async function readTab(penny: Penny, { tab_id }: PanelCommandOf<'read_tab'>): Promise<Outcome> {
  const { pairing } = penny.memory
  if (!pairing) return refusal(say('not_paired_yet'))
  return { ok: true, page: await sharedPage(tab_id, pairing.server, (url) => penny.permits(url)) }
}

/** What the extension sees by itself stays in it: nothing is sent. */
async function seeTab(penny: Penny, { tab_id }: PanelCommandOf<'see_tab'>): Promise<Outcome> {
  const { pairing, grants } = penny.memory
  if (!pairing) return refusal(say('not_paired_yet'))
  const question = { capability: 'act', grants, now: Date.now() } as const
  const sight = await sightOfTab(tab_id, pairing.server, {
    mayAct: (url) => penny.permits(url, 'act'),
    siteOf: (url) => decidingHost(url, question) ?? hostOf(url),
  })
  return { ok: true, sight }
}

async function lookKept(penny: Penny, { url }: PanelCommandOf<'look_kept'>): Promise<Outcome> {
  const key = await keyOf(url)
  const ref = crypto.randomUUID()
  return key ? outcomeOf(penny, { type: 'kept.look', ref, key }, ref) : { ok: true }
}

/** What waits of the site is dropped at once, whether or not the server can be reached. */
async function leaveSiteOut(penny: Penny, { url }: PanelCommandOf<'leave_site_out'>): Promise<Outcome> {
  const address = webUrl(url)
  if (!address) return refusal(say('did_not_work'))
  const host = hostOf(address).replace(/^www\./, '')
  await penny.vault.dropAuto((waiting) => covers(host, hostOf(new URL(waiting))))
  const grant = { host, capability: 'keep', state: 'blocked', scope: 'always' } as const
  return outcomeOf(penny, { type: 'grant.set', ...grant }, host)
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

/** Fetch a picture of a message over the socket: the server lets only its own signed-in pages embed it. */
async function picture(penny: Penny, address: string): Promise<Outcome> {
  const name = PICTURE.exec(address)?.[1]
  if (!name) return refusal(say('no_picture'))
  const ref = crypto.randomUUID()
  return outcomeOf(penny, { type: 'picture.fetch', ref, name }, ref)
}
