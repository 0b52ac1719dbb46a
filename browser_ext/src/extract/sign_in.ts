const SIGN_IN_CHARACTERS = 600

/** Whether it is a short page with a visible password field. */
export function asksForSignIn(page: Document, text: string): boolean {
  const passwords = [...page.querySelectorAll('input[type="password"]')]
  return text.length < SIGN_IN_CHARACTERS && passwords.some((input) => input.checkVisibility())
}
