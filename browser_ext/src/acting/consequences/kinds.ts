// What an act does that reaches others or cannot be undone, and how sure code is of it.

export const KINDS = [
  'buy',
  'send',
  'delete',
  'grant',
  'account',
  'sign_in',
  'credential',
  'upload',
  'download',
  'leave',
  'submit',
  'confirm',
] as const
export type Kind = (typeof KINDS)[number]

/** `none`: nothing can be said about the control. Without kinds, the others mean that the act is free. */
export type Certainty = 'sure' | 'words' | 'none'

/** What nobody but the owner does. */
export type OwnerTask = 'captcha' | 'new_password'

export interface Verdict {
  kinds: Kind[]
  certainty: Certainty
  ownerTask: OwnerTask | null
}

/**
 * `name`: the accessible name of the control. `submitter`: the button by which its form would be sent, null without
 * one.
 * `data`: what the browser collected of the form to send it now.
 */
export interface Target {
  element: Element
  name: string
  submitter?: HTMLElement | null
  data?: FormData
}

export type Doing = { do: 'click' } | { do: 'enter' } | { do: 'set'; submit: boolean }

export const FREE: Verdict = { kinds: [], certainty: 'sure', ownerTask: null }
export const UNKNOWN: Verdict = { kinds: [], certainty: 'none', ownerTask: null }

export function verdictOf(kinds: Iterable<Kind>, certainty: Certainty, ownerTask: OwnerTask | null = null): Verdict {
  const all = new Set(kinds)
  return { kinds: KINDS.filter((kind) => all.has(kind)), certainty, ownerTask }
}
