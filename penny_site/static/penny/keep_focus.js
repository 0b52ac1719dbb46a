// A part of a page that refreshes itself leaves the owner where they are: the same button, link or field has the focus
// again, and an open menu stays open.
const POLLS = '[hx-trigger*="every"]';
const STOPS = "main :is(a[href], button, summary, input, select, textarea)";
let before = null;

/** What an element is, so that the one in its place can be told after the refresh. Times in a link's words pass. */
function keyOf(element) {
  if (element.matches("a")) return `a ${element.href}`;
  const words = element.matches("summary") ? element.textContent.trim() : "";
  return [element.tagName, element.form?.action, element.name, element.value, words].join("\n");
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const focused = document.activeElement;
  if (!detail.shouldSwap || !detail.requestConfig.elt.matches(POLLS) || !focused?.matches(STOPS)) return;
  before = { key: keyOf(focused), menu: focused.closest(".pop[open]")?.querySelector("summary") };
});

// Nothing is taken from an element that has the focus by now.
document.addEventListener("htmx:afterSettle", () => {
  if (!before || document.activeElement !== document.body) return;
  const same = (key) => [...document.querySelectorAll(STOPS)].find((element) => keyOf(element) === key);
  const menu = before.menu && same(keyOf(before.menu))?.closest(".pop");
  if (menu) menu.open = true;
  (same(before.key) ?? document.getElementById("main")).focus({ preventScroll: true });
  before = null;
});
