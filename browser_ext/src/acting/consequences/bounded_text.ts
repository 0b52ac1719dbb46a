// Reads texts of pages up to a length, however long they are.

const NODES_MOST = 2_000
const SPACES = /\s+/g
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu

/** Return one line of at most `most` characters, without invisible ones. */
export function oneLine(text: string, most: number): string {
  return text
    .slice(0, 4 * most)
    .replace(IGNORABLE, '')
    .replace(SPACES, ' ')
    .trim()
    .slice(0, most)
}

export function boundedText(element: Element, most: number): string {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const pieces: string[] = []
  let characters = 0
  for (let nodes = 0; nodes < NODES_MOST && characters < 4 * most && walker.nextNode(); nodes++) {
    const piece = (walker.currentNode.nodeValue ?? '').slice(0, 4 * most)
    pieces.push(piece)
    characters += piece.length
  }
  return oneLine(pieces.join(' '), most)
}
