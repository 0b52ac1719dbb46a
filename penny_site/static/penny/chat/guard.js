/** How long the buttons of a question that took the place of another are switched off: a second click that was meant for the question
 * before must not answer the next one. */
export const GUARD_MS = 400;
