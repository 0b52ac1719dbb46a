/** Find the first word of a query in a text. Return it with some text around it: [before, word, after]. */
export function snippetAround(text, query) {
  const word = query.trim().split(/\s+/)[0];
  const place = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()));
  const start = place > BEFORE_CHARACTERS ? place - BEFORE_CHARACTERS : 0;
  const end = place + word.length;
  const rest = text.slice(end, start + SHOWN_CHARACTERS);
  return [`${start > 0 ? "… " : ""}${text.slice(start, place)}`, text.slice(place, end), `${rest}${end + rest.length < text.length ? " …" : ""}`];
}

const BEFORE_CHARACTERS = 40;
const SHOWN_CHARACTERS = 160;
