// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { closeWorkerPage, textInWorker } from './read_pdf'
import { FakeWorkerPage, lines, pdf } from './fake_pdf'

const PAPER = () => pdf([lines('Words.')]).buffer
const nothing = new AbortController().signal

beforeEach(() => fakeBrowser.reset())
afterEach(() => vi.unstubAllGlobals())

describe('a PDF that is read apart, in Chrome', () => {
  it('is read in a document that is there for as long as PDFs are read, and no longer', async () => {
    const hall = new FakeWorkerPage()
    const texts = await Promise.all([textInWorker(PAPER(), nothing), textInWorker(PAPER(), nothing)])
    expect(texts).toEqual([1, 2].map(() => ({ title: '', text: 'Words.', truncated: false, words: 1 })))
    expect(hall).toMatchObject({ openCount: 1, isOpen: false })
    await textInWorker(PAPER(), nothing)
    expect(hall).toMatchObject({ openCount: 2, isOpen: false })
    await vi.waitFor(() => expect(hall.workers.map(({ isEnded }) => isEnded)).toEqual([true, true, true]))
  })

  it('ends with the call, also where it would never end by itself', async () => {
    const hall = new FakeWorkerPage(true)
    const call = new AbortController()
    const reading = textInWorker(PAPER(), call.signal)
    await vi.waitFor(() => expect(hall.workers).toHaveLength(1))
    call.abort(new Error('cancelled'))
    await expect(reading).rejects.toThrow('cancelled')
    await vi.waitFor(() => expect(hall.workers[0]?.isEnded).toBe(true))
    expect(hall.isOpen).toBe(false)
  })

  it('is said to be broken where it ends its worker', async () => {
    const hall = new FakeWorkerPage(true)
    const reading = textInWorker(PAPER(), nothing)
    await vi.waitFor(() => expect(hall.workers).toHaveLength(1))
    hall.workers[0]?.onerror?.()
    await expect(reading).resolves.toEqual({ problem: 'broken' })
  })

  it('is not even begun when the call has ended', async () => {
    const hall = new FakeWorkerPage()
    await expect(textInWorker(PAPER(), AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    expect(hall.openCount).toBe(0)
  })

  it('leaves nothing open when the background was stopped meanwhile', async () => {
    const hall = new FakeWorkerPage()
    hall.isOpen = true
    await closeWorkerPage()
    expect(hall.isOpen).toBe(false)
  })
})
