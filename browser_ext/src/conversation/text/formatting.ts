// Format the sanitised HTML of a message: code with a copy button, tables that become lists in a narrow column,
// formulas. Nothing here parses HTML: elements are moved and named, and their text is read.
import { drawFormulas } from './formulas'

const COPIED_TEXT_MS = 1500
const NARROW_COLUMNS = 2 // a table with at most so many columns fits everywhere

/** Texts of the copy button, as the owner sees them. */
export interface FormattingWords {
  copyCode: string
  copied: string
  notCopied: string
}

export function formatBody(root: ParentNode, words: FormattingWords): void {
  for (const table of root.querySelectorAll('table')) formatTable(table)
  for (const code of root.querySelectorAll('pre')) if (!isFormula(code)) formatCode(code, words)
  for (const link of root.querySelectorAll("a[href*='/evidence/']")) keepBeside(link.previousSibling)
  void drawFormulas(root)
}

/** The number of a claim stays in the line in which the claim ends. */
function keepBeside(words: Node | null): void {
  if (words instanceof Text) words.data = words.data.replace(/ $/, '\u00a0')
}

function isFormula(pre: HTMLElement): boolean {
  return /^\\\[.*\\\]$/s.test(trimmedText(pre))
}

function trimmedText(element: Element): string {
  return element.textContent?.trim() ?? ''
}

/** Name the column in each cell: the list shows it. */
function formatTable(table: HTMLTableElement): void {
  const names = [...table.querySelectorAll('thead th')].map(trimmedText)
  for (const row of table.querySelectorAll<HTMLTableRowElement>('tbody tr')) {
    for (const [place, cell] of [...row.cells].entries()) if (names[place]) cell.dataset.column = names[place]
  }
  const box = document.createElement('div')
  box.className = names.length > NARROW_COLUMNS ? 'table reflows' : 'table'
  table.replaceWith(box)
  box.append(table)
}

function formatCode(pre: HTMLElement, words: FormattingWords): void {
  const box = document.createElement('div')
  box.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet copy'
  button.textContent = words.copyCode
  button.addEventListener('click', () => void copyBy(button, (pre.textContent ?? '').replace(/\n$/, ''), words))
  pre.replaceWith(box)
  box.append(pre, button)
}

async function copyBy(button: HTMLButtonElement, text: string, words: FormattingWords): Promise<void> {
  const name = button.textContent
  button.textContent = (await copyText(text)) ? words.copied : words.notCopied
  setTimeout(() => (button.textContent = name), COPIED_TEXT_MS)
}

/** Copy a text; return whether that worked. Over plain http from another machine only a selection can be copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('readonly', '')
  field.className = 'unseen'
  const { activeElement } = document
  document.body.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way off https
  const isCopied = document.execCommand?.('copy') ?? false
  field.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus()
  return isCopied
}
