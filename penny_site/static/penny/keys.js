// Keys of every page: j and k move through its list, o or Enter opens, a letter presses the button that carries it,
// a, o and n answer the question with the focus, n and p walk through passages, Ctrl+K and / open the palette, ? lists the keys.
const ROW = "main :is(.card, .rows > li, .watches > li, tbody > tr)";
const KEYS_OFF = "penny-keys-off";

// Single keys disturb people who dictate or mistype: the owner can switch them off.
export const areOn = () => localStorage.getItem(KEYS_OFF) === null;
export const switchKeys = (on) => (on ? localStorage.removeItem(KEYS_OFF) : localStorage.setItem(KEYS_OFF, "1"));

export const rows = () => [...document.querySelectorAll(ROW)].filter((row) => !row.matches(".moved") && !row.parentElement.closest(ROW) && row.checkVisibility());
const currentRow = () => document.activeElement?.closest(ROW);
const visible = (row, selector) => [...row.querySelectorAll(selector)].find((element) => element.checkVisibility());
const openDialog = () => document.querySelector("dialog[open]");

export function focusRow(row) {
  if (!row) return;
  const link = visible(row, "h2 a, h3 a, .what a, th a") ?? visible(row, "a[href]") ?? row;
  if (link === row) row.tabIndex = -1;
  link.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

// A row that left the list may have the focus: the next one is the first that follows it in the document.
function move(step) {
  const from = currentRow();
  const all = rows();
  const follows = (row) => from.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING && !from.contains(row);
  const precedes = (row) => from.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING && !row.contains(from);
  focusRow(!from ? all[0] : step > 0 ? all.find(follows) : all.findLast(precedes));
}

const scope = () => openDialog() ?? currentRow() ?? document.querySelector("main .reader");

/** Press, or `how` "focus", the button of a letter in the dialog, in the row with the focus, or in the reader. */
export const press = (key, how = "click") => scope()?.querySelector(`[data-key="${key}"]`)?.[how]();

function open() {
  const row = currentRow();
  if (!row || openDialog()) return;
  (row.querySelector('[data-key="o"]') ?? visible(row, "a[href], summary"))?.click();
}

const openPalette = async () => (await import("./palette.js")).openPalette();
const listKeys = async () => (await import("./key_list.js")).listKeys();
const reader = () => (openDialog() ?? document).querySelector(".reader");
const passage = async (step) => reader() && (await import("./reader.js")).walk(reader(), step);

const ANYWHERE = { "?": listKeys };
const ON_PAGES = { j: () => move(1), k: () => move(-1), "/": openPalette };
const LETTERS = { o: open, n: () => passage(1), p: () => passage(-1) };
for (const letter of ["u", "d", "s", "c"]) LETTERS[letter] = () => press(letter);

/** The answer that this key gives to the question with the focus. */
const answer = (target, key) => target.closest("[data-question]")?.querySelector(`[data-answer="${CSS.escape(key)}"]`);

// Layouts for other scripts have no Latin letters: there the place of a key says which one is meant.
const LATIN = /^[\p{ASCII}\p{Script=Latin}]$/u;
const keyOf = ({ key, code, shiftKey }) => {
  if (code === "Slash" && (key === "." || key === "," || (key.length === 1 && !LATIN.test(key)))) return shiftKey ? "?" : "/";
  if (key.length > 1 || LATIN.test(key) || !/^Key[A-Z]$/.test(code)) return key;
  return shiftKey ? code.at(-1) : code.at(-1).toLowerCase();
};

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const key = keyOf(event);
  if (key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    openPalette();
    return;
  }
  const isTyping = target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  if (isTyping || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || openDialog()?.matches("#keys, #palette")) return;
  if (key === "Enter" && target === currentRow()) return open();
  const answers = areOn() && answer(target, key.toLowerCase());
  const act = answers ? () => answers.click() : ANYWHERE[key] ?? (areOn() && (LETTERS[key] ?? (openDialog() ? undefined : ON_PAGES[key])));
  if (!act) return;
  event.preventDefault();
  act();
});

// The header's search field is a link to the page of the search.
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest?.("a[data-palette]")) return;
  event.preventDefault();
  openPalette();
});
