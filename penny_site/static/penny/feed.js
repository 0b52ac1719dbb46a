// The feed: a thought opens in a dialog, the filter replaces the results, new cards load on demand, keys move between cards.
// Without this script the links and forms lead to pages.
import { packGrids } from "./packed_grid.js";

const dialog = document.getElementById("thought");
const keys = document.getElementById("keys");
const results = document.getElementById("results");

packGrids();
document.addEventListener("htmx:afterSwap", () => packGrids());

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "thought-body") return;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  dialog.querySelector("#quote")?.scrollIntoView({ block: "center" });
  dialog.querySelector("h2").focus({ preventScroll: true });
});

// When the dialog closes, the card that it was opened from gets the focus back, even if that card was replaced since.
let changedCard = "";
dialog.addEventListener("close", () => {
  if (changedCard && !currentCard()) focusTitle(document.querySelector(`#${changedCard} h2 a`));
  changedCard = "";
});

// A card that moved leaves a line with Undo: the dialog has nothing left to show and closes. A card that stayed has changed:
// the dialog loads it again.
document.addEventListener("htmx:afterSwap", (event) => {
  const id = event.detail.target.id;
  if (!id.startsWith("card-") || !dialog.open) return;
  const link = document.querySelector(`#${id} h2 a`);
  if (!link) return dialog.close();
  changedCard = id;
  const key = document.activeElement?.dataset.key;
  htmx.ajax("GET", link.href, "#thought-body").then(() => key && press(key, "focus"));
});

// Keep the address of the page in step with the filter: the owner can save it and open it on another device.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== results) return;
  history.replaceState(null, "", results.querySelector("[data-address]").dataset.address);
});

// New cards are inserted above the others. The first of them gets the focus.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "newer") focusTitle(event.detail.target.querySelector(TITLE));
});

for (const box of [dialog, keys])
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close(); // a click beside the dialog
  });

// Keyboard ----------------------------------------------------------------------------------------------------------------------

const TITLE = ".card h2 a";
const titles = () => [...document.querySelectorAll(TITLE)];
const currentCard = () => document.activeElement?.closest(".card");
const follows = (card, link) => !card.contains(link) && card.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING;
const precedes = (card, link) => card.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_PRECEDING;

function focusTitle(link) {
  link?.focus();
  link?.closest(".card").scrollIntoView({ block: "nearest" });
}

function focusNext() {
  const card = currentCard();
  focusTitle(card ? titles().find((link) => follows(card, link)) : titles()[0]);
}

function focusPrevious() {
  const card = currentCard();
  focusTitle(card ? titles().findLast((link) => precedes(card, link)) : titles()[0]);
}

// A key presses the button that carries its letter, in the dialog or in the card that has the focus.
const press = (key, how = "click") => (dialog.open ? dialog : currentCard())?.querySelector(`[data-key="${key}"]`)?.[how]();

function focusSearch() {
  const field = document.getElementById("id_q");
  field?.focus();
  field?.select();
}

const KEYS = { j: focusNext, k: focusPrevious, "/": focusSearch, "?": () => keys.showModal() };
const BUTTON_KEYS = ["o", "u", "d", "s", "c"];

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  if (isTyping || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  if (!isOn() && event.key !== "?") return;
  if (BUTTON_KEYS.includes(event.key)) {
    press(event.key);
    return;
  }
  const act = dialog.open ? undefined : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// Single-letter keys disturb people who dictate or mistype: the owner can switch the keys off.
const KEYS_OFF = "penny-keys-off";
const onBox = document.getElementById("keys-on");
const isOn = () => localStorage.getItem(KEYS_OFF) === null;
onBox.checked = isOn();
onBox.addEventListener("change", () => (onBox.checked ? localStorage.removeItem(KEYS_OFF) : localStorage.setItem(KEYS_OFF, "1")));
