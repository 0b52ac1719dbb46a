// Completion of commands in the composer: a slash lists them, arrows choose, Enter or Tab completes, Escape closes.
// The server knows the commands.
import { isComposed } from '../is_composed'
import type { CommandInfo } from '../protocol.gen'

const NAME = /^\/([a-z]*)$/i
const MOVES: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
const ATTRIBUTES = ['role', 'aria-autocomplete', 'aria-controls', 'aria-expanded', 'aria-activedescendant']

interface Parts {
  field: HTMLTextAreaElement
  list: HTMLElement
  /** Resolves with the commands whose names begin with a prefix. */
  find: (prefix: string) => Promise<CommandInfo[]>
}

export class CommandCompletion {
  readonly #field: HTMLTextAreaElement
  readonly #list: HTMLElement
  readonly #find: Parts['find']
  #commands: CommandInfo[] = []
  #at = 0
  #requests = 0

  constructor({ field, list, find }: Parts) {
    this.#field = field
    this.#list = list
    this.#find = find
    field.addEventListener('input', () => void this.#refresh())
    field.addEventListener('blur', () => {
      this.#close()
    })
    // before the handler that sends the message
    field.addEventListener('keydown', (event) => this.#press(event), { capture: true })
    list.addEventListener('mousedown', (event) => event.preventDefault()) // the field keeps the focus
    list.addEventListener('click', ({ target }) => this.#pick(target))
    this.#close()
  }

  async #refresh(): Promise<void> {
    const prefix = this.#prefix()
    if (prefix === undefined) {
      this.#close()
      return
    }
    this.#narrow(prefix)
    const request = ++this.#requests
    const commands = await this.#find(prefix)
    const isWanted = request === this.#requests && prefix === this.#prefix() // nothing newer, and nothing sent meanwhile
    if (isWanted) this.#show(commands)
  }

  /** Narrow the list at once, before the answer comes: Enter must not complete a command that no longer fits. */
  #narrow(prefix: string): void {
    if (this.#commands.length > 0) this.#show(this.#commands.filter(({ name }) => name.startsWith(prefix)))
  }

  /** Return the beginning of a command's name in the field, or undefined. */
  #prefix(): string | undefined {
    return NAME.exec(this.#field.value)?.[1]?.toLowerCase()
  }

  #show(commands: CommandInfo[]): void {
    if (commands.length === 0) return this.#close()
    this.#commands = commands
    this.#list.replaceChildren(...commands.map((command) => this.#option(command)))
    this.#list.hidden = false
    const aria = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': this.#list.id,
      'aria-expanded': 'true',
    }
    for (const [name, value] of Object.entries(aria)) this.#field.setAttribute(name, value)
    this.#choose(0)
  }

  #close(): void {
    this.#requests += 1
    this.#commands = []
    this.#list.hidden = true
    this.#list.replaceChildren()
    for (const name of ATTRIBUTES) this.#field.removeAttribute(name)
  }

  #option({ name, usage, does }: CommandInfo): HTMLElement {
    const option = document.createElement('li')
    option.id = `${this.#list.id}-${name}`
    option.setAttribute('role', 'option')
    const parts = { b: `/${name}`, span: usage, small: does }
    for (const [tag, text] of Object.entries(parts))
      option.append(Object.assign(document.createElement(tag), { textContent: text }), ' ')
    return option
  }

  #choose(at: number): void {
    this.#at = (at + this.#commands.length) % this.#commands.length
    const options = [...this.#list.children]
    for (const [place, option] of options.entries()) option.setAttribute('aria-selected', String(place === this.#at))
    const option = options[this.#at]
    if (!option) return
    this.#field.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView?.({ block: 'nearest' })
  }

  #press(event: KeyboardEvent): void {
    if (this.#commands.length === 0 || isComposed(event)) return
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || !this.#obeys(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  /** Handle a key for the list; return false for a key that means nothing to it. Enter sends a complete name. */
  #obeys(key: string): boolean {
    const command = this.#commands[this.#at]
    const move = MOVES[key]
    if (move !== undefined) this.#choose(this.#at + move)
    else if (key === 'Escape') this.#close()
    else if (key === 'Tab' || (key === 'Enter' && command?.name !== this.#prefix())) this.#complete(command)
    else {
      if (key === 'Enter') this.#close() // it sends, which empties the field
      return false
    }
    return true
  }

  #pick(target: EventTarget | null): void {
    const option = target instanceof Element ? target.closest('[role=option]') : null
    if (option) this.#complete(this.#commands[[...this.#list.children].indexOf(option)])
  }

  #complete(command: CommandInfo | undefined): void {
    if (!command) return
    this.#field.value = `/${command.name} `
    this.#field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
