// The document in which Chrome starts the workers that read PDFs, and nothing else: its own background alone can speak to it.

/** With each PDF come a port for its text, which goes on to the worker, and one by which the worker is ended. */
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
