// Pairing: the owner types a code. The server learns this device's public key, and this device learns the server's.
import type { PairRequest, PairResponse } from '../protocol.gen'
import { toBase64Url } from './base64url'
import { say, type Key } from '../say'
import { serverOrigin } from './address'
import { storeKeys, newKeys, publicBytes } from './identity'

const TIMEOUT_MS = 10_000
const CODE_DIGITS = 8

/** Error codes of the server, with texts in the owner's language. */
const REFUSALS: [code: string, words: Key][] = [
  ['wrong_code', 'pair_wrong_code'],
  ['no_code', 'pair_no_code'],
  ['too_many', 'pair_too_many'],
]

export interface Pairing {
  server: string
  device_id: string
  server_public_key: string
  label: string
}

export class PairingFailed extends Error {}

export interface PairingForm {
  server: string
  code: string
  label: string
}

/** Return what to store. Throws PairingFailed or BadAddress, whose messages are for the owner. */
export async function pair(form: PairingForm): Promise<Pairing> {
  const server = serverOrigin(form.server)
  const code = codeDigits(form.code)
  const label = form.label.trim()
  if (!label) throw new PairingFailed(say('name_needed'))
  const keys = await newKeys()
  const public_key = toBase64Url(await publicBytes(keys))
  const answer = await askServer(server, { code, label, kind: 'browser', public_key })
  await storeKeys(keys)
  return { server, label, device_id: answer.device_id, server_public_key: answer.server_public_key }
}

function codeDigits(text: string): string {
  const digits = text.replace(/[\s-]/g, '')
  if (digits.length !== CODE_DIGITS || /\D/.test(digits)) throw new PairingFailed(say('code_digits'))
  return digits
}

async function askServer(server: string, request: PairRequest): Promise<PairResponse> {
  const answer = await post(`${server}/api/pair`, request)
  const body: unknown = await answer.json().catch(() => null)
  if (answer.ok && isPairResponse(body)) return body
  throw new PairingFailed(refusal(answer.status, body))
}

async function post(url: string, body: PairRequest): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new PairingFailed(say('no_answer_there'))
  }
}

function refusal(status: number, body: unknown): string {
  const { code, message }: { code?: unknown; message?: unknown } = typeof body === 'object' && body !== null ? body : {}
  const match = REFUSALS.find(([refusalCode]) => refusalCode === code)
  if (match) return say(match[1])
  if (typeof message === 'string') return message
  if (status === 503) return say('still_starting')
  return say('not_penny', status)
}

function isPairResponse(body: unknown): body is PairResponse {
  return (
    typeof body === 'object' &&
    body !== null &&
    'device_id' in body &&
    typeof body.device_id === 'string' &&
    'server_public_key' in body &&
    typeof body.server_public_key === 'string'
  )
}
