/** Writes the newest value, one write at a time. Values that arrive during a write share the next one. */
export class WriteBehind<T> {
  #writing: Promise<void> | null = null
  #next: { value: T; saving: Promise<void> } | null = null

  constructor(private readonly write: (value: T) => Promise<void>) {}

  /** Resolves when this value, or a newer one, is stored. */
  save(value: T): Promise<void> {
    if (this.#next) {
      this.#next.value = value
      return this.#next.saving
    }
    const next = { value, saving: Promise.resolve() }
    next.saving = (this.#writing ?? Promise.resolve()).catch(() => undefined).then(() => this.#take(next))
    this.#next = next
    return next.saving
  }

  #take(next: { value: T }): Promise<void> {
    this.#next = null
    this.#writing = this.write(next.value)
    return this.#writing
  }
}
