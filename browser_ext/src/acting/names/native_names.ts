// What HTML says the name of an element is (HTML-AAM 1.0): labels, alternative texts, captions.

/** Where a name may come from, in order: a text, or the content of an element. */
export type Source = string | Element

/** The labels of controls. Each tree is searched for them once: browsers search for every control. */
export class Labels {
  readonly #trees = new WeakMap<Node, Map<Element, Element[]>>()

  of(element: Element): Element[] {
    const root = element.getRootNode() as Document | ShadowRoot
    const labels = this.#trees.get(root) ?? labelsIn(root)
    this.#trees.set(root, labels)
    return labels.get(element) ?? []
  }
}

function labelsIn(root: Document | ShadowRoot): Map<Element, Element[]> {
  const labels = new Map<Element, Element[]>()
  for (const label of root.querySelectorAll?.('label') ?? []) {
    const { control } = label
    if (control) labels.set(control, [...(labels.get(control) ?? []), label])
  }
  return labels
}

const BUTTON_WORDS: Partial<Record<string, string>> = { submit: 'Submit', reset: 'Reset', image: 'Submit' }

/** Return the sources of one element's name, the first of which with words counts. */
export function nativeSources(element: Element, labels: Labels): Source[][] {
  const tag = element.localName
  if (tag === 'input') return inputSources(element as HTMLInputElement, labels.of(element))
  if (LABELABLE.has(tag)) return [labels.of(element)]
  if (tag === 'img' || tag === 'area') return [[element.getAttribute('alt') ?? '']]
  if (tag === 'optgroup' || tag === 'option') return [[element.getAttribute('label') ?? '']]
  const part = PARTS[tag]
  return part ? [childrenNamed(element, part)] : []
}

/** What names an element last: HTML's tooltip, and what stands in an empty field. */
export function lastWords(element: Element): string {
  const title = element.getAttribute('title')
  if (title?.trim()) return title
  if (element.localName === 'a') return element.getAttribute('xlink:title') ?? ''
  if (element.localName !== 'input' && element.localName !== 'textarea') return ariaPlaceholder(element)
  return element.getAttribute('placeholder') || ariaPlaceholder(element)
}

const LABELABLE = new Set('button meter output progress select textarea'.split(' '))
/** The child element that names its parent. */
const PARTS: Partial<Record<string, string>> = {
  fieldset: 'legend',
  figure: 'figcaption',
  table: 'caption',
  svg: 'title',
}

function inputSources(input: HTMLInputElement, labels: Element[]): Source[][] {
  const { type } = input
  if (type === 'image') return [labels, [input.getAttribute('alt') ?? ''], [titleOf(input)], [BUTTON_WORDS.image ?? '']]
  if (type === 'submit' || type === 'reset' || type === 'button')
    return [labels, [input.value], [titleOf(input)], [BUTTON_WORDS[type] ?? '']]
  return [labels]
}

function titleOf(element: Element): string {
  return element.getAttribute('title') ?? ''
}

function ariaPlaceholder(element: Element): string {
  return element.getAttribute('aria-placeholder') ?? ''
}

function childrenNamed(element: Element, tag: string): Element[] {
  for (const child of element.children) if (child.localName === tag) return [child]
  return []
}
