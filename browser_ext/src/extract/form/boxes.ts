// The items of pages that list: results, products, posts. Many pages write them as boxes and not as a list.

const BOXES = new Set(['DIV', 'ARTICLE', 'SECTION', 'A'])
const LEAST_ITEMS = 4
/** Of the children with words, among which there may be headings and advertisements. */
const LEAST_SHARE = 0.7
/** Longer ones, or with more elements, are parts of a text. */
const ITEM_CHARACTERS = 600
const ITEM_NODES = 200
const LINK = 'a[href]'

/** Return the children that are items: boxes of one kind, each short and with a link. Null where they are none. */
export function itemBoxes({ children }: Element): ReadonlySet<Element> | null {
  if (children.length < LEAST_ITEMS) return null
  const kinds = new Map<string, Element[]>()
  let count = 0
  for (const child of children) {
    const characters = charactersIn(child)
    if (characters === 0) continue
    count++
    if (BOXES.has(child.tagName) && characters <= ITEM_CHARACTERS && hasLink(child)) add(kinds, kindOf(child), child)
  }
  const most = [...kinds.values()].reduce((best, kind) => (kind.length > best.length ? kind : best), [])
  return most.length >= LEAST_ITEMS && most.length >= LEAST_SHARE * count ? new Set(most) : null
}

function add(kinds: Map<string, Element[]>, kind: string, child: Element): void {
  const children = kinds.get(kind)
  if (children) children.push(child)
  else kinds.set(kind, [child])
}

function kindOf({ tagName, classList }: Element): string {
  return `${tagName} ${classList[0] ?? ''}`
}

function hasLink(element: Element): boolean {
  return element.matches(LINK) || element.querySelector(LINK) !== null
}

/** Counts no further than it has to: elements within elements are asked again. */
function charactersIn(element: Element): number {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let characters = 0
  for (let nodes = 0; walker.nextNode() && characters <= ITEM_CHARACTERS; nodes++) {
    if (nodes === ITEM_NODES) return ITEM_CHARACTERS + 1
    characters += walker.currentNode.nodeValue?.trim().length ?? 0
  }
  return characters
}
