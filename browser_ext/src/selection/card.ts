// The card of one task: what was asked, the words as they come, and what the owner can do with them.
import { isComposed } from '../is_composed'
import { say } from '../say'
import type { Chosen } from './chosen'
import { asFieldHolds, putBelow, putIn, roomIn } from './insert'
import { copyText } from './copy'
import { part, type Shell } from './shell'
import type { Task } from './tasks'
import { INSTRUCTION_CHARACTERS, type BarNews } from './wire'

export interface CardHost {
  page: Document
  shell: Shell
  passage: Chosen
  /** Ask for the words; returns the ref of the ask. */
  ask(task: Task, instruction: string): string
  cancel(ref: string): void
  /** Put focus and selection back. */
  close(): void
  /** The words are in the field, and so is the cursor. */
  leave(): void
  sendToChat(): void
}

export class Card {
  readonly element: HTMLElement
  readonly #words: HTMLElement
  readonly #note: HTMLElement
  readonly #row: HTMLElement
  #ref: string | null = null
  #text = ''
  #instruction = ''

  constructor(
    private readonly host: CardHost,
    private readonly task: Task,
  ) {
    const { page } = host
    this.element = part(page, 'div', 'card')
    const head = part(page, 'div', 'head')
    head.append(
      part(page, 'span', '', say(task.name)),
      this.#button(say('bar_close'), () => host.close()),
    )
    this.#words = part(page, 'div', 'words')
    this.#words.tabIndex = 0
    this.#words.role = 'region'
    this.#words.ariaLabel = say(task.name)
    this.#words.dir = 'auto'
    this.#note = part(page, 'div', 'note')
    this.#note.role = 'status'
    this.#row = part(page, 'div', 'row')
    this.element.append(head, this.#words, this.#note, this.#row)
    if (task.asks) this.#askFirst(say(task.asks))
    else this.#begin()
  }

  take(news: BarNews): void {
    if (!this.waitsFor(news.ref)) return // of an ask before
    if (news.type === 'delta') this.#takePiece(news.index, news.text)
    else if (news.type === 'done') this.#finish(news.text, say('bar_by', news.made_by))
    else this.#fail(news.message)
  }

  waitsFor(ref: string): boolean {
    return this.#ref === ref
  }

  lose(): void {
    if (this.#ref) this.#fail(say('bar_lost'))
  }

  stop(): void {
    if (this.#ref) this.host.cancel(this.#ref)
    this.#ref = null
  }

  #askFirst(question: string): void {
    const box = part(this.host.page, 'textarea')
    box.ariaLabel = question
    box.placeholder = question
    box.maxLength = INSTRUCTION_CHARACTERS
    box.value = this.#instruction
    const go = (): void => {
      this.#instruction = box.value.trim()
      if (!this.#instruction) return box.focus()
      this.#begin()
      this.#row.querySelector('button')?.focus({ preventScroll: true })
      box.remove()
    }
    box.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || isComposed(event)) return
      event.preventDefault()
      if (event.isTrusted) go()
    })
    this.#words.hidden = true
    this.element.insertBefore(box, this.#note)
    this.#show('', this.#button(say('bar_go'), go, 'main'))
    queueMicrotask(() => box.focus())
  }

  #begin(): void {
    this.#text = ''
    this.#words.textContent = ''
    this.#words.hidden = true
    this.#ref = this.host.ask(this.task, this.#instruction)
    const stop = (): void => {
      this.stop()
      this.#show(say('bar_stopped'), this.#again())
    }
    this.#show(say('bar_working'), this.#button(say('bar_stop'), stop))
  }

  #takePiece(index: number, text: string): void {
    this.#text = index === 1 ? text : this.#text + text // a second attempt begins anew
    this.#showWords()
  }

  #finish(text: string, note: string): void {
    this.#ref = null
    this.#text = text
    this.#showWords()
    const { field } = this.host.passage
    const verb = field && !this.host.passage.text ? say('bar_insert') : say('bar_replace')
    const actions = [
      ...(field ? [this.#button(verb, () => void this.#insert(putIn), 'main')] : []),
      ...(field && this.host.passage.text ? [this.#button(say('bar_below'), () => void this.#insert(putBelow))] : []),
      this.#button(say('bar_copy'), () => void this.#copy(), field ? '' : 'main'),
      this.#again(),
      ...(this.host.passage.text ? [this.#button(say('bar_chat'), () => this.host.sendToChat())] : []),
    ]
    this.#show(note, ...actions)
  }

  #fail(message: string): void {
    this.#ref = null
    this.#show(message, this.#again())
    this.#note.classList.add('stop')
  }

  #again(): HTMLElement {
    const again = this.task.asks ? () => this.#askFirst(say(this.task.asks ?? 'bar_what')) : () => this.#begin()
    return this.#button(say('bar_again'), again)
  }

  async #insert(write: typeof putIn): Promise<void> {
    const problem = await this.#problemOf(write)
    if (problem) this.#warn(problem)
    else this.host.leave()
  }

  /** Write, and return "" or what kept from it. What does not fit is said before it is written. */
  async #problemOf(write: typeof putIn): Promise<string> {
    const { field, text, restore } = this.host.passage
    if (!field) return say('bar_changed')
    const words = asFieldHolds(field, this.#text)
    const room = roomIn(field, write === putIn ? text : '')
    if (room !== null && words.length > room) return say('bar_room', room, words.length)
    if (!restore()) return say('bar_changed')
    if (await write(field, this.#text)) return ''
    return say((await copyText(this.host.page, this.host.shell.box, this.#text)) ? 'bar_not_taken' : 'bar_not_copied')
  }

  async #copy(): Promise<void> {
    this.#warn(say((await copyText(this.host.page, this.host.shell.box, this.#text)) ? 'bar_copied' : 'bar_not_copied'))
  }

  #warn(message: string): void {
    this.#note.textContent = message
    this.#place()
  }

  #show(note: string, ...actions: HTMLElement[]): void {
    this.#note.textContent = note
    this.#note.classList.remove('stop')
    const hadFocus = this.#row.contains((this.#row.getRootNode() as ShadowRoot).activeElement)
    this.#row.replaceChildren(...actions)
    this.host.shell.showNew()
    this.#place()
    if (hadFocus) (actions[0] ?? this.#words).focus()
  }

  #showWords(): void {
    this.#words.hidden = false
    this.#words.textContent = this.#text
    this.#place()
  }

  #place(): void {
    this.host.shell.placeAt(this.host.passage.place())
  }

  #button(text: string, press: () => void, className = ''): HTMLElement {
    return button(this.host, text, press, className)
  }
}

/** Only the owner's own press counts. */
export function button(
  { page, shell }: Pick<CardHost, 'page' | 'shell'>,
  text: string,
  press: () => void,
  className = '',
): HTMLButtonElement {
  const element = part(page, 'button', className, text)
  element.type = 'button'
  element.addEventListener('click', (event) => {
    if (shell.isMeant(event)) press()
  })
  return element
}
