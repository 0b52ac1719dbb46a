// Small PDF files, and the place where they are read, for tests: what Chrome has for that, with pdf.js itself in the
// same thread.
import { vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { pdfText } from './document'
import { openWorkerPage } from './worker_page'

interface Given {
  title?: string
  /** A description of the file beside its title. */
  xml?: string
  /** A font's dictionary in place of Helvetica. */
  font?: string
  isLocked?: boolean
}

/** Returns what writes one line at a place, in points from the lower left corner. */
export function write(text: string, x: number, y: number, size = 12): string {
  return `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET\n`
}

/** Returns pages' contents, as many lines below each other as there are texts. */
export function lines(...texts: string[]): string {
  return texts.map((text, at) => write(text, 72, 720 - at * 15)).join('')
}

/** Its cross-reference table is missing; readers of PDFs find the objects without. */
export function pdf(
  pages: readonly string[],
  { title = '', xml = '', font, isLocked = false }: Given = {},
): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, at) => `${10 + 2 * at} 0 R`).join(' ')
  const objects: [number, string][] = [
    [1, '<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R >>'],
    [2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`],
    [3, font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [4, `<< /Title (${title}) >>`],
    [5, `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>`],
    [6, `<< /Type /Metadata /Subtype /XML /Length ${xml.length} >>\nstream\n${xml}\nendstream`],
    ...pages.flatMap((content, at): [number, string][] => [
      [
        10 + 2 * at,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> /Contents ${11 + 2 * at} 0 R >>`,
      ],
      [11 + 2 * at, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    ]),
  ]
  const body = objects.map(([number, object]) => `${number} 0 obj\n${object}\nendobj\n`).join('')
  const lock = isLocked ? '/Encrypt 5 0 R /ID [<00> <00>] ' : ''
  return new TextEncoder().encode(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Info 4 0 R ${lock}>>\n%%EOF\n`)
}

export class FakeWorkerPage {
  /** How often it was opened, and whether it is open now. */
  openCount = 0
  isOpen = false
  readonly workers: FakeWorker[] = []

  /** `isStuck`: its workers never come to an end. */
  constructor(isStuck = false) {
    const { workers } = this
    const url = fakeBrowser.runtime.getURL('/offscreen.html')
    const container = {} as ServiceWorkerContainer
    const postMessage = (data: ArrayBuffer, ports: Transferable[]) =>
      container.onmessage?.({
        data,
        ports: ports.filter((port) => port instanceof MessagePort),
      } as unknown as MessageEvent)
    openWorkerPage(container)
    Object.assign(fakeBrowser, {
      offscreen: { hasDocument: async () => this.isOpen, createDocument: this.#open, closeDocument: this.#close },
    })
    vi.stubGlobal('clients', {
      matchAll: async () => (this.isOpen ? [{ url: 'chrome-extension://panel' }, { url, postMessage }] : []),
    })
    vi.stubGlobal('Worker', function () {
      const worker = new FakeWorker(isStuck)
      workers.push(worker)
      return worker
    })
  }

  readonly #open = async () => {
    if (this.isOpen) throw new Error('Only a single offscreen document may be created.')
    this.isOpen = true
    this.openCount++
  }

  readonly #close = async () => void (this.isOpen = false)
}

class FakeWorker {
  isEnded = false
  onerror: (() => void) | null = null

  constructor(private readonly isStuck: boolean) {}

  postMessage(bytes: ArrayBuffer, [, port]: [ArrayBuffer, MessagePort]): void {
    if (!this.isStuck) void pdfText(bytes).then((answer) => port.postMessage(answer))
  }

  terminate(): void {
    this.isEnded = true
  }
}
