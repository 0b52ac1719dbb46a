/** Puts words into the box, to be changed and sent: it is the owner's message. */
export function intoComposer(text: string): void {
  const field = document.getElementById('composer')
  if (!(field instanceof HTMLTextAreaElement)) return
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}
