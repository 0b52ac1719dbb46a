// The words of one post, without those of others and of the platform.
import type { Platform } from './platforms'

type IsOut = (element: Element) => boolean

const HEAD_END = '\n\n'
const MAIL_END = /\n-- \n|\n-{14} next part -{14}\n/
const FROM = /^From: (.*)/m
const DATE = /^Date: (.*)/m
const HEAD_CHARACTERS = 4_000
const LINE_CHARACTERS = 120

/** The body itself where all in it is its author's, else a copy. */
export function ownWords(body: Element, [item, author, , , details]: Platform): Element {
  const out = [details?.out, details?.nest && item].filter(Boolean).join()
  const isOut = (element: Element) => out !== '' && element.matches(out)
  if (details?.isMail) return wordsOfMail(body, isOut, author === '')
  return out && body.querySelector(out) ? copyOf(body, isOut, (text) => text) : body
}

function copyOf(element: Element, isOut: IsOut, wordsOf: (text: string) => string): Element {
  const copy = element.cloneNode() as Element
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(wordsOf(child.nodeValue ?? ''))
    else if (!isOut(child as Element)) copy.append(copyOf(child as Element, isOut, wordsOf))
  }
  return copy
}

/** Without head, signature and attachments. */
function wordsOfMail(mail: Element, isOut: IsOut, hasHead: boolean): Element {
  let [isHead, isOver] = [hasHead, false]
  const isApart = (element: Element) => isHead || (isOver ||= isOut(element))
  return copyOf(mail, isApart, (text) => {
    const start = isHead ? text.indexOf(HEAD_END) : 0
    if (isOver || start < 0) return ''
    isHead = false
    const words = text.slice(start)
    const end = words.search(MAIL_END)
    isOver = end >= 0
    return isOver ? words.slice(0, end) : words
  })
}

/** Author and time by the head of a mail, "" where it has none. */
export function mailFrom(mail: Element): { author: string; when: string } {
  const head = mail.textContent.slice(0, HEAD_CHARACTERS)
  const [author = '', when = DATE.exec(head)?.[1] ?? ''] = FROM.exec(head)?.[1]?.split(' @ ') ?? []
  const time = when.split(/[[(]/)[0] ?? ''
  return { author: author.slice(0, LINE_CHARACTERS), when: time.slice(0, LINE_CHARACTERS).trim() }
}
