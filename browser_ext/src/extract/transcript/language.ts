// Whether a transcript is in the language of its page.

/** Of two languages that both are told, the first parts count: "en" and "en-GB" are the same. */
export function isOfLanguage(language: string | null, page: Document): boolean {
  const [own, other] = [page.documentElement.lang, language ?? ''].map((name) => name.toLowerCase().split(/[-_]/)[0])
  return !own || !other || own === other
}
