// Waits for something in the page. Changes of the page wake it: the timers of a tab that is not in front are slow.

/** Return what `look` brings as soon as it brings something, or null once the time is over. */
export function until<T>(page: Document, look: () => T | null, withinMs: number): Promise<T | null> {
  return new Promise((resolve) => {
    const first = look()
    if (first !== null) return resolve(first)
    const end = (result: T | null): void => {
      observer.disconnect()
      clearTimeout(timer)
      clearInterval(looks)
      resolve(result)
    }
    const lookAgain = (): void => {
      const result = look()
      if (result !== null) end(result)
    }
    const observer = new MutationObserver(lookAgain)
    const looks = setInterval(lookAgain, 100) // what closed trees show changes without a word
    const timer = setTimeout(() => end(look()), withinMs)
    observer.observe(page, { subtree: true, childList: true, attributes: true, characterData: true })
  })
}
