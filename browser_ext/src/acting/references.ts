// The numbers of elements (*refs*). They live as long as the document, in our isolated world. One counter serves the
// tab: the background hands it in and takes it back, so that no number ever stands for two elements.

export class References {
  readonly #elements = new Map<number, WeakRef<Element>>()
  readonly #numbers = new WeakMap<Element, number>()
  #next = 1

  /** The first number that no element of this tab has. */
  get next(): number {
    return this.#next
  }

  /** Leave out the numbers that the tab used elsewhere. */
  continueFrom(next: number): void {
    this.#next = Math.max(this.#next, next)
  }

  numberOf(element: Element): number {
    const present = this.#numbers.get(element)
    if (present !== undefined) return present
    const number = this.#next++
    this.#numbers.set(element, number)
    this.#elements.set(number, new WeakRef(element))
    return number
  }

  copy(): References {
    const copy = new References()
    for (const [number, reference] of this.#elements) {
      const element = reference.deref()
      if (element) copy.#numbers.set(element, number)
      copy.#elements.set(number, reference)
    }
    copy.#next = this.#next
    return copy
  }

  /** Return the element with this number while it is in the page. */
  elementOf(number: number): Element | null {
    const element = this.#elements.get(number)?.deref()
    if (!element) this.#elements.delete(number)
    return element?.isConnected ? element : null
  }
}
