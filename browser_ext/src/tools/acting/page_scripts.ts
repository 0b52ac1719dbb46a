// Runs the script of acting in the frames of a tab.
import { browser } from 'wxt/browser'
import { abortable } from '../../abortable'
import type { ActReply, ActRequest } from '../../acting/actions/request'
import type { LookRequest, PageLook } from '../../acting/actions/watch'
import type { OwnerRequest } from '../../acting/pill/owner'
import type { OwnerMove } from '../../acting/pill/pill'
import type { FrameSnapshot, SnapshotArguments } from '../../acting/snapshot/snapshot'
import { ABSENT, actingAt, callActing, type Acting } from '../../acting/task'
import { BASICS } from '../../page_tabs/run_in_page'

export interface Frame {
  tabId: number
  frameId: number
  signal: AbortSignal
}

const FILES = [BASICS, '/acting.js'] as const
/** Where the documents keep the tasks for this background. */
const own = `penny${crypto.randomUUID()}`

/** Return null if the document went away meanwhile, which may have been what the act did. */
export function runAct(frame: Frame, request: ActRequest): Promise<ActReply | null> {
  return runTask(frame, 'act', request)
}

export function runLook(frame: Frame, request: LookRequest): Promise<PageLook | null> {
  return runTask(frame, 'look', request)
}

export function runSnapshot(frame: Frame, request: SnapshotArguments): Promise<FrameSnapshot | null> {
  return runTask(frame, 'snapshot', request)
}

export function runPreview(frame: Frame, request: SnapshotArguments): Promise<FrameSnapshot | null> {
  return runTask(frame, 'preview', request)
}

/** End what runs in the frame, at the next thing that it would do. */
export async function runHalt(frame: Frame): Promise<void> {
  await runTask(frame, 'halt', {})
}

export function runAwaitOwner(frame: Frame, request: OwnerRequest): Promise<OwnerMove | null> {
  return runTask(frame, 'awaitOwner', request)
}

export async function runLeaveOwner(frame: Frame): Promise<void> {
  await runTask(frame, 'leaveOwner', {})
}

async function runTask<T>({ tabId, frameId, signal }: Frame, task: keyof Acting, request: object): Promise<T | null> {
  const target = { tabId, frameIds: [frameId] }
  const call = async (from: string | null): Promise<unknown> => {
    const args: Parameters<typeof callActing> = [own, from, task, request]
    const [frame] = await abortable(browser.scripting.executeScript({ target, func: callActing, args }), signal)
    if (frame && 'error' in frame && frame.error) console.error('Penny: acting failed', task, frame.error)
    return frame?.result
  }
  try {
    const result = await call(null)
    if (result !== ABSENT) return (result as T | undefined) ?? null
    await abortable(browser.scripting.executeScript({ target, files: [...FILES] }), signal)
    const fresh = await call(actingAt)
    return fresh === ABSENT ? null : ((fresh as T | undefined) ?? null)
  } catch (reason) {
    signal.throwIfAborted()
    console.info('Penny: the document went away', task, reason)
    return null
  }
}
