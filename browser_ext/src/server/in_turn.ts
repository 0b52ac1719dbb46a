/**
 * Runs one task after the other. Many large answers at once would make the server believe that nobody reads the socket.
 */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}
