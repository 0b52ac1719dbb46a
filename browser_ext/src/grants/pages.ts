import type { GrantInfo, GrantsSync } from '../protocol.gen'

const SETS = 4 // of two changes at once the pages may come mixed
const PAGES = 50

/** Grants that come on several pages count once each page of their set is there. */
export class GrantPages {
  readonly #sets = new Map<string, GrantInfo[][]>()

  /** Return all grants, or null while pages are missing. */
  take({ grants, page }: GrantsSync): GrantInfo[] | null {
    if (!page) {
      this.#sets.clear()
      return grants
    }
    const { set, number, count } = page
    if (!(number >= 1 && number <= count && count <= PAGES)) return null
    const pages = this.#sets.get(set) ?? []
    pages[number - 1] = grants
    this.#sets.set(set, pages)
    for (const oldest of [...this.#sets.keys()].slice(0, -SETS)) this.#sets.delete(oldest)
    if (Array.from({ length: count }, (_, index) => pages[index]).includes(undefined)) return null
    this.#sets.delete(set)
    return pages.slice(0, count).flat()
  }
}
