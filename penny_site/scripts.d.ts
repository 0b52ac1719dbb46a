// What the scripts of static/penny/ find in a page: htmx and its events. Selectors find HTML there. What comes from
// outside has no type until the script gives it one.
interface Htmx {
  ajax(verb: 'GET', address: string, target: string | { target: string; swap: string }): Promise<void>
  trigger(selector: string, event: string): void
}
declare const htmx: Htmx

interface HtmxDetail {
  elt: HTMLElement
  target: HTMLElement
  requestConfig?: { elt: HTMLElement }
  headers: Record<string, string>
  shouldSwap: boolean
  successful: boolean
  xhr: XMLHttpRequest
}

interface DocumentEventMap {
  'htmx:afterRequest': CustomEvent<HtmxDetail>
  'htmx:afterSettle': CustomEvent<HtmxDetail>
  'htmx:afterSwap': CustomEvent<HtmxDetail>
  'htmx:beforeRequest': CustomEvent<HtmxDetail>
  'htmx:beforeSwap': CustomEvent<HtmxDetail>
  'htmx:configRequest': CustomEvent<HtmxDetail>
  'htmx:load': CustomEvent<HtmxDetail>
  'htmx:responseError': CustomEvent<HtmxDetail>
}

interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null
  closest<E extends Element = HTMLElement>(selectors: string): E | null
}

interface JSON {
  parse(text: string): unknown
}

interface Body {
  json(): Promise<unknown>
}

interface PublicKeyCredential {
  toJSON(): object
}
