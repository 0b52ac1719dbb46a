import { expect, it } from 'vitest'
import { limitWorker } from './worker_limits'

it('leaves a worker nothing that leads out of it, also not where it inherits that', () => {
  class Around {
    fetch(): void {}
  }
  class Worker extends Around {
    XMLHttpRequest = class {}
    postMessage = (): string => 'said'
  }
  const worker = new Worker()
  limitWorker(worker)
  expect([worker.fetch, worker.XMLHttpRequest, Around.prototype.fetch]).toEqual([undefined, undefined, undefined])
  expect(worker.postMessage()).toBe('said')
})
