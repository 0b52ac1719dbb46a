const BEFORE_CHARACTERS = 40
const SHOWN_CHARACTERS = 160

/** Find the first word of a query in a text. Return it with some text around it: [before, word, after]. */
export function snippetAround(text: string, query: string): [string, string, string] {
  const word = query.trim().split(/\s+/)[0] ?? ''
  const place = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()))
  const start = place > BEFORE_CHARACTERS ? place - BEFORE_CHARACTERS : 0
  const end = place + word.length
  const rest = text.slice(end, start + SHOWN_CHARACTERS)
  const isCut = end + rest.length < text.length
  return [`${start > 0 ? '… ' : ''}${text.slice(start, place)}`, text.slice(place, end), `${rest}${isCut ? ' …' : ''}`]
}
