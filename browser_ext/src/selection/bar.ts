// The bar at what the owner chose in a page. It comes at their call alone, and sends nothing before they press.
import { browser } from 'wxt/browser'
import { newId } from '../new_id'
import { language, say } from '../say'
import { button, Card, type CardHost } from './card'
import { chosenIn, type Chosen } from './chosen'
import { roomIn } from './insert'
import { placeOfWords } from './platforms'
import { openShell, part, type Shell } from './shell'
import { languageFor, tasksFor, WRITE, type Task } from './tasks'
import { BAR_PORT, PASSAGE_CHARACTERS, type BarNews, type BarOrder } from './wire'

const SCROLL_MOST = 40
const NOTE_TOP = 24
/** Tasks that a digit starts. */
const NUMBERS = 9

export class Bar {
  #shell: Shell | null = null
  #card: Card | null = null
  #passage: Chosen | null = null
  #port: ReturnType<typeof browser.runtime.connect> | null = null
  #listening = new AbortController()

  constructor(private readonly page: Document) {}

  /** Show it for what is chosen now, in place of what it showed before. */
  show(): void {
    this.close(false)
    const passage = chosenIn(this.page)
    const { body, documentElement } = this.page
    const beside = passage?.field ?? body ?? documentElement
    this.#shell = openShell(this.page, say('bar_title'), getComputedStyle(beside).direction)
    this.#listen()
    if (!passage) return this.#note(say('bar_nothing'))
    this.#passage = passage
    if (passage.text.length > PASSAGE_CHARACTERS)
      return this.#note(say('bar_long', PASSAGE_CHARACTERS.toLocaleString(language())))
    if (passage.text.trim() === '') return this.#open(WRITE)
    const bar = this.#toolbar(passage)
    this.#shell.box.append(bar)
    this.#shell.placeAt(passage.place())
    bar.querySelector('button')?.focus({ preventScroll: true })
  }

  /** `isByOwner`: put focus and selection back where they were. */
  close(isByOwner: boolean): void {
    this.#card?.stop()
    this.#listening.abort()
    this.#shell?.remove()
    this.#port?.disconnect()
    if (isByOwner) this.#passage?.restore()
    this.#shell = this.#card = this.#passage = this.#port = null
  }

  #note(text: string): void {
    const [width, top] = [innerWidth / 2, NOTE_TOP]
    const note = part(this.page, 'div', 'card', text)
    note.role = 'alert'
    note.tabIndex = -1
    this.#shell?.box.append(note)
    this.#shell?.placeAt(new DOMRect(width - note.getBoundingClientRect().width / 2, top, 0, 0))
    note.focus({ preventScroll: true })
  }

  #toolbar(passage: Chosen): HTMLElement {
    const bar = part(this.page, 'div', 'row')
    bar.role = 'toolbar'
    bar.ariaLabel = say('bar_title')
    const { front, more } = tasksFor(passage.field !== null)
    const pressable = (task: Task): HTMLButtonElement => this.#press(say(task.name), () => this.#open(task))
    const rest = more.map(pressable)
    const byNumber = [...front, ...more].slice(0, NUMBERS)
    const opener = this.#press(say('bar_more'), () => {
      opener.hidden = true
      for (const one of rest) one.hidden = false
      this.#shell?.showNew()
      this.#shell?.placeAt(passage.place())
      rest[0]?.focus()
    })
    for (const one of rest) one.hidden = true
    const chat = this.#press(say('bar_chat'), () => this.#sendToChat())
    bar.append(...front.map(pressable), opener, ...rest, chat)
    bar.addEventListener('keydown', (event) => {
      const task = /^[1-9]$/.test(event.key) ? byNumber[Number(event.key) - 1] : undefined
      if (!task) {
        moveFocus(bar, event)
        return
      }
      event.preventDefault()
      if (this.#shell?.isMeant(event)) this.#open(task)
    })
    return bar
  }

  #press(text: string, press: () => void): HTMLButtonElement {
    if (!this.#shell) throw new Error('there is no bar')
    return button({ page: this.page, shell: this.#shell }, text, press)
  }

  #open(task: Task): void {
    const [shell, passage] = [this.#shell, this.#passage]
    if (!shell || !passage) return
    const host: CardHost = {
      page: this.page,
      shell,
      passage,
      ask: (toDo, instruction) => this.#ask(toDo, instruction),
      cancel: (ref) => this.#tell({ type: 'cancel', ref }),
      close: () => this.close(true),
      leave: () => this.close(false),
      sendToChat: () => this.#sendToChat(),
    }
    shell.box.replaceChildren()
    this.#card = new Card(host, task)
    shell.box.append(this.#card.element)
    shell.placeAt(passage.place())
    this.#card.element.querySelector<HTMLElement>('textarea, .row button')?.focus({ preventScroll: true })
  }

  #ask(task: Task, instruction: string): string {
    const ref = newId()
    const { text = '', field = null } = this.#passage ?? {}
    const { platform, limit } = placeOfWords(location.hostname, field)
    const room = field && roomIn(field, text)
    const most = Math.min(room ?? Infinity, limit ?? Infinity)
    void languageFor(task, text, languageOf).then((to) => {
      if (!this.#card?.waitsFor(ref)) return // stopped meanwhile, or the bar is closed
      this.#tell({
        type: 'ask',
        ref,
        task: task.task,
        text,
        platform: task.isForField ? platform : 'text',
        ...(instruction && { instruction }),
        ...(task.style && { style: task.style }),
        ...(to && { to }),
        ...(task.isForField && most > 0 && most < Infinity && { limit: most }),
      })
    })
    return ref
  }

  #sendToChat(): void {
    this.#tell({ type: 'chat', text: this.#passage?.text ?? '' })
    setTimeout(() => this.close(true)) // once it was told: the port closes with the bar
  }

  #tell(order: BarOrder): void {
    if (!this.#port) {
      this.#port = browser.runtime.connect({ name: BAR_PORT })
      this.#port.onMessage.addListener((news: unknown) => {
        this.#card?.take(news as BarNews)
      })
      this.#port.onDisconnect.addListener(() => {
        this.#port = null
        this.#card?.lose()
      })
    }
    this.#port.postMessage(order)
  }

  #listen(): void {
    this.#listening = new AbortController()
    const options = { capture: true, passive: true, signal: this.#listening.signal }
    const [left, top] = [scrollX, scrollY]
    const view = this.page.defaultView
    const isOutside = (event: Event): boolean => !this.#shell?.holds(event)
    view?.addEventListener('pointerdown', (event) => isOutside(event) && !this.#card && this.close(false), options)
    view?.addEventListener('keydown', (event) => this.#hearKey(event, isOutside(event)), {
      capture: true,
      signal: this.#listening.signal,
    })
    view?.addEventListener('resize', () => this.#place(), options)
    view?.addEventListener(
      'scroll',
      () => {
        const isFar = Math.hypot(scrollX - left, scrollY - top) > SCROLL_MOST
        if (isFar && !this.#card) this.close(false)
        else this.#place()
      },
      options,
    )
    view?.addEventListener('pagehide', () => this.close(false), options)
  }

  #place(): void {
    if (this.#passage) this.#shell?.placeAt(this.#passage.place())
  }

  /** Typing in the page ends the bar. */
  #hearKey(event: KeyboardEvent, isOutside: boolean): void {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopImmediatePropagation()
      this.close(true)
    } else if (isOutside && !this.#card && !event.altKey && !event.ctrlKey && !event.metaKey && event.key !== 'Shift') {
      this.close(false)
    }
  }
}

/** By arrows, Home and End. */
function moveFocus(bar: HTMLElement, event: KeyboardEvent): void {
  const buttons = [...bar.querySelectorAll('button')].filter(({ hidden }) => !hidden)
  const place = buttons.indexOf((bar.getRootNode() as ShadowRoot).activeElement as HTMLButtonElement)
  const isRtl = getComputedStyle(bar).direction === 'rtl'
  const forth = isRtl ? 'ArrowLeft' : 'ArrowRight'
  const back = isRtl ? 'ArrowRight' : 'ArrowLeft'
  const steps: Partial<Record<string, number>> = {
    [forth]: place + 1,
    ArrowDown: place + 1,
    [back]: place - 1,
    ArrowUp: place - 1,
    Home: 0,
    End: -1,
  }
  const to = steps[event.key]
  if (to === undefined) return
  event.preventDefault()
  buttons.at(to % buttons.length)?.focus()
}

/** Return "" for a text whose language the browser cannot tell. */
async function languageOf(text: string): Promise<string> {
  try {
    const { languages } = await browser.i18n.detectLanguage(text)
    return languages[0]?.language ?? ''
  } catch (reason) {
    console.info('Penny: the language is not known', reason)
    return ''
  }
}
