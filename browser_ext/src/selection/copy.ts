import { runCommand } from '../acting/actions/text'
import { part } from './shell'

/** Copy text; return whether it is copied. Pages over plain http have no clipboard to write to, but the old command. */
export async function copyText(page: Document, box: HTMLElement, text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>
  if (clipboard)
    return clipboard.writeText(text).then(
      () => true,
      () => copyByCommand(page, box, text),
    )
  return copyByCommand(page, box, text)
}

function copyByCommand(page: Document, box: HTMLElement, text: string): boolean {
  const focused = (box.getRootNode() as ShadowRoot).activeElement
  const field = part(page, 'textarea')
  field.value = text
  box.append(field)
  field.select()
  const isCopied = runCommand(page, 'copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
