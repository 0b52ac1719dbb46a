// jsdom has the cascade but no layout and nothing that styles add: every element gets a box, unless its styles say
// otherwise.

const computedStyle = globalThis.getComputedStyle

export function layOutPage(): void {
  window.getComputedStyle = (element, part) => (part ? NOTHING_ADDED : computedStyle(element))
  Element.prototype.getBoundingClientRect = function () {
    return boxOf(this)
  }
  Element.prototype.checkVisibility = function (options) {
    if (options?.visibilityProperty && getComputedStyle(this).visibility === 'hidden') return false
    return this.closest('[style*="display:none"], [hidden]') === null
  }
  Range.prototype.getBoundingClientRect = () => boxOf(null)
}

const NOTHING_ADDED = { content: 'none', display: 'inline' } as CSSStyleDeclaration

function boxOf(element: Element | null): DOMRect {
  const size = element?.closest('[data-tiny]') ? 1 : 40
  return new DOMRect(10, 10, size, size)
}
