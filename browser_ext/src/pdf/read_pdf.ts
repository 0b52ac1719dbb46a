// Reads a PDF in a worker of its own, which can reach nothing (`worker_limits.ts`) and ends with the call.
import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { InTurn } from '../server/in_turn'
import { say } from '../say'
import type { PdfAnswer } from './document'

const WORKER = '/pdf_worker.js'
const WORKER_PAGE = '/offscreen.html'

/** How a service worker reaches the extension's own documents. The types of pages lack it. */
interface Clients {
  matchAll(which: {
    includeUncontrolled: boolean
    type: 'window'
  }): Promise<{ url: string; postMessage(message: unknown, transfer: Transferable[]): void }[]>
}

const BROKEN: PdfAnswer = { problem: 'broken' }

/**
 * Return the text, or why there is none. `bytes` is transferred, and empty afterwards. Rejects when the signal aborts.
 */
export async function textInWorker(bytes: ArrayBuffer, signal: AbortSignal): Promise<PdfAnswer> {
  signal.throwIfAborted()
  return import.meta.env.FIREFOX ? inWorker(bytes, signal) : inWorkerPage(bytes, signal)
}

async function inWorker(bytes: ArrayBuffer, signal: AbortSignal): Promise<PdfAnswer> {
  const worker = new Worker(browser.runtime.getURL(WORKER))
  const { port1, port2 } = new MessageChannel()
  try {
    const crash = new Promise<PdfAnswer>((resolve) => (worker.onerror = () => resolve(BROKEN)))
    worker.postMessage(bytes, [bytes, port2])
    return await abortable(Promise.race([messageFrom<PdfAnswer>(port1), crash]), signal)
  } finally {
    worker.terminate()
    port1.close()
  }
}

function messageFrom<T>(port: MessagePort): Promise<T> {
  return new Promise((resolve) => (port.onmessage = ({ data }: MessageEvent<T>) => resolve(data)))
}

// Chrome's background cannot start a worker. An offscreen document does it, and exists while a PDF is read.
let readers = 0
const turn = new InTurn()

async function inWorkerPage(bytes: ArrayBuffer, signal: AbortSignal): Promise<PdfAnswer> {
  const [text, control] = [new MessageChannel(), new MessageChannel()]
  readers++
  try {
    const workerPage = await turn.next(openDocument)
    signal.throwIfAborted()
    const crash = messageFrom(control.port1).then(() => BROKEN)
    workerPage.postMessage(bytes, [bytes, text.port2, control.port2])
    return await abortable(Promise.race([messageFrom<PdfAnswer>(text.port1), crash]), signal)
  } finally {
    control.port1.postMessage('end')
    text.port1.close()
    readers--
    await turn.next(closedIfEmpty)
    control.port1.close()
  }
}

async function openDocument(): Promise<Awaited<ReturnType<Clients['matchAll']>>[number]> {
  const url = browser.runtime.getURL(WORKER_PAGE)
  if (!(await browser.offscreen.hasDocument())) {
    const reasons = ['WORKERS'] as unknown as Parameters<typeof browser.offscreen.createDocument>[0]['reasons']
    await browser.offscreen.createDocument({ url, reasons, justification: say('offscreen_reason') })
  }
  const { clients } = globalThis as unknown as { clients: Clients }
  const workerPage = (await clients.matchAll({ includeUncontrolled: true, type: 'window' })).find(
    (client) => client.url === url,
  )
  if (!workerPage) throw new Error('the document for workers is not there')
  return workerPage
}

async function closedIfEmpty(): Promise<void> {
  if (readers === 0 && (await browser.offscreen.hasDocument())) await browser.offscreen.closeDocument()
}

/** Called when the background starts: the last one may have died while it read a PDF. */
export async function closeWorkerPage(): Promise<void> {
  if (!import.meta.env.FIREFOX) await turn.next(closedIfEmpty)
}
