// What several scripts of the pages need.

/** The path that every address of Penny begins with. It is empty unless Penny shares her host with another program. */
export const BASE = document.documentElement.dataset.base ?? ''

/**
 * The target of an event may also be the document or the window.
 * @param {Event} event
 * @returns {Element | null}
 */
export const elementOf = ({ target }) => (target instanceof Element ? target : null)
