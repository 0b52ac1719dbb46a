/** Does one thing after the other: many large answers at once would look to the server like a socket that nobody reads. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}
