// Sends a file that the owner keeps: part after part, each once the one before has arrived, and then until it is read.
import { sendCommand } from '../conversation/host'
import type { FileState } from '../protocol.gen'
import { say } from '../say'
import type { Outcome, PanelCommandOf } from '../state/panel_state'
import { toBase64Url } from './encode_files'

const FILE_BYTES = 25 * 1024 * 1024
const PART_BYTES = 252 * 1024
const AGAIN_MS = 1_000
const PATIENCE_MS = 10 * 60_000 // as long as the server holds what has arrived

type Frame = PanelCommandOf<'send_file'>['frame']

export interface Progress {
  step: FileState['step'] | 'waiting'
  /** Of what is to be sent, from 0 to 1. */
  share: number
  message?: string
}

/** Keep a file; tell how far it is. It goes on after a lost connection, and ends when the signal aborts. */
export async function keepFile(file: File, tell: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
  if (file.size > FILE_BYTES) {
    tell({ step: 'refused', share: 0, message: say('keep_file_large', file.name) })
    return
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const ref = crypto.randomUUID()
  const begin: Frame = {
    type: 'file.begin',
    ref,
    name: shortName(file),
    size_bytes: bytes.length,
    sha256: await sha256(bytes),
  }
  const parts = Math.ceil(bytes.length / PART_BYTES)
  const ends = Date.now() + PATIENCE_MS
  let frame: Frame = begin
  let share = 0
  while (!signal.aborted) {
    const outcome = await sendFrame(frame)
    if (signal.aborted) return
    if (!outcome.ok) {
      if (!outcome.is_lost) {
        tell({ step: 'refused', share, message: outcome.message })
        return
      }
      if (Date.now() > ends) {
        tell({ step: 'refused', share, message: say('file_not_sent', file.name) })
        return
      }
      tell({ step: 'waiting', share })
      await pause()
      frame = begin
      continue
    }
    const state = outcome.file
    if (!state) {
      tell({ step: 'refused', share, message: say('did_not_work') })
      return
    }
    share = state.parts / parts
    tell({ step: state.step, share, ...(state.message && { message: state.message }) })
    if (state.step === 'kept' || state.step === 'refused') return
    if (state.step === 'reading') await pause()
    frame = state.step === 'reading' ? begin : nextFrame(ref, bytes, state.parts, parts)
  }
}

function nextFrame(ref: string, bytes: Uint8Array, index: number, parts: number): Frame {
  if (index >= parts) return { type: 'file.end', ref }
  const data = toBase64Url(bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES))
  return { type: 'file.part', ref, index, data }
}

function sendFrame(frame: Frame): Promise<Outcome> {
  return sendCommand({ type: 'send_file', frame })
}

function shortName(file: File): string {
  return file.name.trim().slice(0, 64) || 'file'
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
}
