const BEFORE_CHARACTERS = 40
const SHOWN_CHARACTERS = 160

/**
 * Find the first word of a query in a text. Return it with some text around it: [before, word, after]. Where it is
 * not, such as in the address of a link, that is the beginning of the text.
 */
export function snippetAround(text: string, query: string): [string, string, string] {
  const word = query.trim().split(/\s+/)[0] ?? ''
  const place = text.toLowerCase().indexOf(word.toLowerCase())
  if (place < 0) return ['', '', text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text]
  const start = place > BEFORE_CHARACTERS ? place - BEFORE_CHARACTERS : 0
  const end = place + word.length
  const rest = text.slice(end, start + SHOWN_CHARACTERS)
  const isCut = end + rest.length < text.length
  return [`${start > 0 ? '… ' : ''}${text.slice(start, place)}`, text.slice(place, end), `${rest}${isCut ? ' …' : ''}`]
}
