import { countWords } from './blocks/blocks'

const SIGN_IN_WORDS = 100

/** Whether it is a short page with a visible password field. */
export function asksForSignIn(page: Document, text: string): boolean {
  const passwords = [...page.querySelectorAll('input[type="password"]')]
  return countWords(text) < SIGN_IN_WORDS && passwords.some((input) => input.checkVisibility())
}
