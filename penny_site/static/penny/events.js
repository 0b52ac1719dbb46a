// Where an event happened. The target of an event may also be the document or the window.

/**
 * @param {Event} event
 * @returns {Element | null}
 */
export const elementOf = ({ target }) => (target instanceof Element ? target : null)
