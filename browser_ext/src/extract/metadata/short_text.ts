/** The beginning of an element's text. Elements within each other would otherwise be read again and again. */
export function shortText(element: Element, most: number): string {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let text = ''
  while (text.length < most && walker.nextNode()) text += walker.currentNode.nodeValue ?? ''
  return text.slice(0, most)
}
