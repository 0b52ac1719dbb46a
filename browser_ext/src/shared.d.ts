// The modules that the web chat and the sidebar share live beside the pages' styles, as plain JavaScript.
declare module '*/static/penny/chat/writing.js' {
  export function blocksOf(text: string): string[]
  export class Writing {
    constructor(holder: HTMLElement, how: { toNodes: (html: string) => Iterable<Node>; dress: (block: HTMLElement) => void })
    show(text: string): void
  }
}
declare module '*/static/penny/chat/dressing.js' {
  export interface DressingWords {
    copyCode: string
    copied: string
    notCopied: string
  }
  export function dress(root: ParentNode, words: DressingWords): void
  export function copied(text: string): Promise<boolean>
}
declare module '*/static/penny/chat/formulas.js' {
  export function drawFormulas(root: ParentNode): Promise<void>
}
declare module '*/static/penny/chat/following.js' {
  export class Following {
    constructor(how: { box: () => HTMLElement | null; newest: () => HTMLElement | null; tell: (isAtEnd: boolean) => void })
    readonly isFollowing: boolean
    follow: () => void
    toEnd: () => void
    toRest: () => void
    leave: () => void
    scrolled: () => void
    listen: (element: HTMLElement) => () => void
  }
}
declare module '*/static/penny/chat/guard.js' {
  export const GUARD_MS: number
}
declare module '*/static/penny/chat/asks.js' {
  type Send = (frame: object) => boolean
  export function askGrant(frame: object, send: Send): void
  export function dismiss(requestId: string): void
}
declare module '*/static/penny/chat/turns.js' {
  export function started(frame: object, stop: (turnId: string) => boolean): void
}
declare module '*/static/penny/page.js'
declare module '*/static/penny/push.js'
declare module '*/static/penny/chat/around.js' {
  export function around(text: string, wanted: string): [string, string, string]
}
declare module '*/static/penny/chat/attaching.js' {
  export class NotAttached extends Error {
    code: 'attach_kind' | 'attach_large' | 'attach_many'
    file: string
  }
  export const FILES_MAX: number
  export function isPicture(file: Pick<Attachment, 'mime'>): boolean
  export function toBase64(file: Pick<Attachment, 'data'>): string
  export function withAttachment(known: readonly Attachment[], file: Attachment): Attachment[]
  export function withFiles(known: readonly Attachment[], files: Iterable<File>): Promise<Attachment[]>
  interface Attachment {
    name: string
    mime: string
    data: string
  }
}
declare module '*/static/penny/chat/files.js' {
  interface Attachment {
    name: string
    mime: string
    data: string
  }
  export function attached(): Attachment[]
  export function detachAll(): void
  export function takeFiles(before: Attachment[], tell: (words: string) => void, onChange: (files: Attachment[]) => void): void
  export function shownFiles(files: readonly (Pick<Attachment, 'name' | 'mime'> & { data?: string; image?: string })[]): HTMLElement[]
  export function lookAgain(message: Element | null): void
  export function watchPictures(message: Element): void
}
declare module '*/static/penny/chat/stored.js' {
  interface Along {
    files: { name: string; mime: string; data: string }[]
    quoted: string
  }
  interface Entry {
    turn_id: string
    text: string
  }
  export const outbox: { all: () => Entry[]; find: (turnId: string) => Entry | undefined; put: (entry: Entry) => void; remove: (turnId: string) => void }
  export const draft: { get: () => string; set: (text: string) => void }
  export const along: { get: () => Along; set: (change: Partial<Along>) => void }
}
declare module '*/static/penny/chat/completing.js' {
  interface Command {
    name: string
    usage: string
    does: string
  }
  export class Completing {
    constructor(how: { field: HTMLTextAreaElement; list: HTMLUListElement; find: (begun: string) => Promise<Command[]> })
  }
}
