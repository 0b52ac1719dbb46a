// The modules that the web chat and the sidebar share live beside the pages' styles, as plain JavaScript.
declare module '*/static/penny/chat/streamed_text.js' {
  export function blocksOf(text: string): string[]
  export class StreamedText {
    constructor(
      holder: HTMLElement,
      how: { toNodes: (html: string) => Iterable<Node>; formatBlock: (block: HTMLElement) => void },
    )
    show(text: string): void
  }
}
declare module '*/static/penny/chat/formatting.js' {
  export interface FormattingWords {
    copyCode: string
    copied: string
    notCopied: string
  }
  export function formatBody(root: ParentNode, words: FormattingWords): void
  export function copyText(text: string): Promise<boolean>
}
declare module '*/static/penny/chat/formulas.js' {
  export function drawFormulas(root: ParentNode): Promise<void>
}
declare module '*/static/penny/chat/sticky_scroll.js' {
  export class StickyScroll {
    constructor(how: {
      box: () => HTMLElement | null
      newest: () => HTMLElement | null
      tell: (isAtEnd: boolean) => void
    })
    readonly isFollowing: boolean
    follow: () => void
    toEnd: () => void
    toRest: () => void
    leave: () => void
    scrolled: () => void
    listen: (element: HTMLElement) => () => void
  }
}
declare module '*/static/penny/chat/answer_guard.js' {
  export const GUARD_MS: number
}
declare module '*/static/penny/chat/asks.js' {
  type Send = (frame: object) => boolean
  export function askGrant(frame: object, send: Send): void
  export function dismiss(requestId: string): void
}
declare module '*/static/penny/chat/turns.js' {
  export function showTurn(frame: object, stop: (turnId: string) => boolean): void
}
declare module '*/static/penny/page.js'
declare module '*/static/penny/push.js'
declare module '*/static/penny/chat/snippet.js' {
  export function snippetAround(text: string, wanted: string): [string, string, string]
}
declare module '*/static/penny/chat/attachments.js' {
  export class NotAttached extends Error {
    code: 'attach_kind' | 'attach_large' | 'attach_many'
    file: string
  }
  export const FILES_MAX: number
  export function isPicture(file: Pick<Attachment, 'mime'>): boolean
  export function toBase64(file: Pick<Attachment, 'data'>): string
  export function withAttachment(existing: readonly Attachment[], file: Attachment): Attachment[]
  export function withFiles(existing: readonly Attachment[], files: Iterable<File>): Promise<Attachment[]>
  interface Attachment {
    name: string
    mime: string
    data: string
  }
}
declare module '*/static/penny/chat/file_picker.js' {
  interface Attachment {
    name: string
    mime: string
    data: string
  }
  export function attachments(): Attachment[]
  export function detachAll(): void
  export function watchFilePicker(
    before: Attachment[],
    tell: (words: string) => void,
    onChange: (files: Attachment[]) => void,
  ): void
  export function fileElements(
    files: readonly (Pick<Attachment, 'name' | 'mime'> & { data?: string; image?: string })[],
  ): HTMLElement[]
  export function retryPictures(message: Element | null): void
  export function watchPictures(message: Element): void
}
declare module '*/static/penny/chat/storage.js' {
  interface DraftExtras {
    files: { name: string; mime: string; data: string }[]
    quoted: string
  }
  interface Entry {
    turn_id: string
    text: string
  }
  export const outbox: {
    all: () => Entry[]
    find: (turnId: string) => Entry | undefined
    put: (entry: Entry) => void
    remove: (turnId: string) => void
  }
  export const draft: { get: () => string; set: (text: string) => void }
  export const draftExtras: { get: () => DraftExtras; set: (change: Partial<DraftExtras>) => void }
}
declare module '*/static/penny/chat/completions.js' {
  interface Command {
    name: string
    usage: string
    does: string
  }
  export class CommandCompletion {
    constructor(how: {
      field: HTMLTextAreaElement
      list: HTMLUListElement
      find: (begun: string) => Promise<Command[]>
    })
  }
}
