// The feed: a thought opens in a dialog, the filter narrows down in place, new cards come on demand, and the keyboard moves from card
// to card. Without this the links and forms lead to pages.
import { BASE } from "./base.js";

const dialog = document.getElementById("thought");
const keys = document.getElementById("keys");
const results = document.getElementById("results");

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "thought-body") return;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  dialog.querySelector("#quote")?.scrollIntoView({ block: "center" });
  dialog.querySelector("h2").focus({ preventScroll: true });
});

// The card that a dialog was opened from gets the focus back when the dialog closes, also where another stands in its place since.
let changed = "";
dialog.addEventListener("close", () => {
  if (changed && !here()) go(document.querySelector(`#${changed} h2 a`));
  changed = "";
});

// A card that moved leaves the line with its undo in its place: the dialog above it has nothing to show any more. One that stays was
// changed, and is shown as it is now.
document.addEventListener("htmx:afterSwap", (event) => {
  const id = event.detail.target.id;
  if (!id.startsWith("card-") || !dialog.open) return;
  const link = document.querySelector(`#${id} h2 a`);
  if (!link) return dialog.close();
  changed = id;
  const key = document.activeElement?.dataset.key;
  htmx.ajax("GET", link.href, "#thought-body").then(() => key && press(key, "focus"));
});

// The address says what is shown, so that it can be kept, shared between one's own devices, and opened again.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== results) return;
  history.replaceState(null, "", results.querySelector("[data-address]").dataset.address);
});

// New cards come above the others, which stay as they are arranged. Whoever asked for them reads the first one next.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "newer") go(event.detail.target.querySelector(TITLE));
});

// What is new is asked for when the server says that something is, and now and then in any case.
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

function listen(wait = FIRST_WAIT_MS) {
  const url = new URL(`${BASE}/ws/feed`, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  let next = Math.min(LONGEST_WAIT_MS, 2 * wait);
  socket.addEventListener("open", () => (next = FIRST_WAIT_MS));
  socket.addEventListener("message", () => htmx.trigger("#unread", "look"));
  socket.addEventListener("close", () => setTimeout(() => listen(next), wait));
}
listen();

for (const each of [dialog, keys])
  each.addEventListener("click", (event) => {
    if (event.target === each) each.close(); // the veil around it
  });

// Keyboard ----------------------------------------------------------------------------------------------------------------------

const TITLE = ".card h2 a";
const titles = () => [...document.querySelectorAll(TITLE)];
const here = () => document.activeElement?.closest(".card");
const follows = (card, link) => !card.contains(link) && card.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING;
const precedes = (card, link) => card.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_PRECEDING;

function go(link) {
  link?.focus();
  link?.closest(".card").scrollIntoView({ block: "nearest" });
}

function next() {
  const card = here();
  go(card ? titles().find((link) => follows(card, link)) : titles()[0]);
}

function previous() {
  const card = here();
  go(card ? titles().findLast((link) => precedes(card, link)) : titles()[0]);
}

// A key presses what is marked with it, in the dialog or in the card that has the focus. What is not there is not pressed.
const press = (key, how = "click") => (dialog.open ? dialog : here())?.querySelector(`[data-key="${key}"]`)?.[how]();

function search() {
  const field = document.getElementById("id_q");
  field?.focus();
  field?.select();
}

const KEYS = { j: next, k: previous, "/": search, "?": () => keys.showModal() };
const PRESSED = ["o", "u", "d", "s", "c"];

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  if (typing || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  if (!isOn() && event.key !== "?") return;
  if (PRESSED.includes(event.key)) {
    press(event.key);
    return;
  }
  const act = dialog.open ? undefined : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// Single letters are in the way of those who speak to their machine, or press keys by mistake: they can be switched off.
const OFF = "penny-keys-off";
const onBox = document.getElementById("keys-on");
const isOn = () => localStorage.getItem(OFF) === null;
onBox.checked = isOn();
onBox.addEventListener("change", () => (onBox.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
