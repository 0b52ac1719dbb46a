// The package describes its API, not this half of it.
declare module 'pdfjs-dist/build/pdf.worker.mjs' {
  export const WorkerMessageHandler: {
    /** Listens to a port, at whose other end is a PDFWorker. */
    initializeFromPort(port: MessagePort): void
  }
}
