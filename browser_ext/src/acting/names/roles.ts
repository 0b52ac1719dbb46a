// The roles of elements, by attribute (WAI-ARIA 1.2) and by tag (HTML-AAM), as far as names and snapshots need them.

const ALL = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
    'gridcell group heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem ' +
    'menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem'
  ).split(' '),
)

const INPUT_ROLES: Partial<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
}

const TAG_ROLES: Partial<Record<string, string>> = {
  article: 'article',
  button: 'button',
  dialog: 'dialog',
  fieldset: 'group',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  img: 'img',
  li: 'listitem',
  main: 'main',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  progress: 'progressbar',
  summary: 'button',
  table: 'table',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  tr: 'row',
  ul: 'list',
}

/** Return the first role of the attribute that exists, or ''. */
export function ownRole(element: Element): string {
  const attribute = element.getAttribute('role')
  if (attribute === null) return ''
  if (ALL.has(attribute)) return attribute
  return (
    attribute
      .toLowerCase()
      .split(/\s+/)
      .find((role) => ALL.has(role)) ?? ''
  )
}

function tagRole(element: Element): string {
  const tag = element.localName
  if (tag === 'a' || tag === 'area') return isLink(element) ? 'link' : ''
  if (tag === 'input') return INPUT_ROLES[(element as HTMLInputElement).type] ?? 'textbox'
  if (tag === 'select') return isListbox(element as HTMLSelectElement) ? 'listbox' : 'combobox'
  return TAG_ROLES[tag] ?? ''
}

export function roleOf(element: Element): string {
  return ownRole(element) || tagRole(element) || (isEditingHost(element) ? 'textbox' : '')
}

/** The outermost element in which the owner can write text with marks. */
export function isEditingHost(element: Element): boolean {
  const editable = element.getAttribute('contenteditable')
  return (
    editable !== null &&
    editable !== 'false' &&
    !element.parentElement?.closest('[contenteditable=""], [contenteditable="true"]')
  )
}

function isLink(element: Element): boolean {
  return element.hasAttribute('href') || element.hasAttribute('xlink:href')
}

function isListbox({ multiple, size }: HTMLSelectElement): boolean {
  return multiple || size > 1
}
