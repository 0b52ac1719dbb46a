// The offscreen document in which Chrome starts PDF workers. Only the own background can send to it.

/** Each PDF comes with two ports: one for the text, which goes on to the worker, and one that ends the worker. */
export function openWorkerPage(container: ServiceWorkerContainer): void {
  container.onmessage = ({ data, ports: [text, control] }: MessageEvent<ArrayBuffer>) => {
    if (text && control) readFor(data, text, control)
  }
}

function readFor(bytes: ArrayBuffer, text: MessagePort, control: MessagePort): void {
  const worker = new Worker('/pdf_worker.js')
  worker.onerror = () => control.postMessage('crashed')
  control.onmessage = () => worker.terminate()
  worker.postMessage(bytes, [bytes, text])
}
