/** How long the buttons of a question stay disabled after it replaced another one. A second click on the first question must
 * not answer the second. */
export const GUARD_MS = 400;
