/** Return the words of a message without their markup, on one line. */
export function plainText(html: string): string {
  const words = new DOMParser().parseFromString(html, 'text/html').body.textContent
  return words.replace(/\s+/g, ' ').trim()
}
