import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { limitWorker } from '../src/pdf/worker_limits'
import { pdfText } from '../src/pdf/document'

// The answer goes through a port: pdf.js sends messages of its own to the starter of a worker.
export default defineUnlistedScript(() => {
  limitWorker(globalThis)
  addEventListener('message', ({ data, ports: [port] }: MessageEvent<ArrayBuffer>) => {
    if (port) void pdfText(data).then((answer) => port.postMessage(answer))
  })
})
