// A short text of the page as one line.
import { BLOCKS } from '../blocks/text_of'
import { cutText, oneLine } from '../plain_text'

const CHARACTERS = 120
/** A line has few nodes. */
const NODES_MOST = 60

/** `isName`: only the first line, for below a name stand other facts about its bearer. */
export function lineOf(element: Element, isName = false): string {
  const nodes = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  let text = ''
  for (let count = 0; count < NODES_MOST && text.length < CHARACTERS && nodes.nextNode(); count++) {
    const node = nodes.currentNode
    const isLine = BLOCKS.has(node.nodeName) || node.nodeName === 'BR'
    if (isLine && isName && text) break
    text = (text + (isLine ? ' ' : (node.nodeValue ?? ''))).trimStart()
  }
  return cutText(oneLine(text), CHARACTERS)
}
