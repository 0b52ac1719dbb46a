import { describe, expect, it, vi } from 'vitest'
import { APART, atOnce, inSlices, type Work } from './slices'

describe('work in slices', () => {
  it('lets others have their turn in between', async () => {
    const { port1, port2 } = new MessageChannel()
    let isInterrupted = false
    port1.onmessage = () => (isInterrupted = true)
    port2.postMessage(null)
    function* untilHeard(): Generator<undefined, string> {
      while (!isInterrupted) yield
      return 'done'
    }
    expect(await inSlices(untilHeard())).toBe('done')
    port1.close()
  })

  it('gives what cannot be interrupted a slice of its own, however little went before', async () => {
    const { port1, port2 } = new MessageChannel()
    let isInterrupted = false
    port1.onmessage = () => (isInterrupted = true)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    function* work(): Work<boolean> {
      port2.postMessage(null)
      for (const start = Date.now(); !isInterrupted && Date.now() < start + 2000;) yield APART
      return isInterrupted
    }
    expect(await inSlices(work())).toBe(true)
    clock.mockRestore()
    port1.close()
  })

  it('fails as the work fails', async () => {
    function* failingWork(): Generator<undefined, string> {
      yield
      throw new Error('broken')
    }
    await expect(inSlices(failingWork())).rejects.toThrow('broken')
    expect(() => atOnce(failingWork())).toThrow('broken')
  })
})
