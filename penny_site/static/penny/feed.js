// The feed: a thought opens in a dialog, and the keyboard moves from card to card. Without this the links lead to pages.
const dialog = document.getElementById("thought");
const keys = document.getElementById("keys");

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "thought-body" || dialog.open) return;
  dialog.showModal();
  dialog.scrollTop = 0;
  dialog.querySelector("h2").focus();
});

// A card that moved leaves the line with its undo in its place; the dialog above it has nothing to show any more.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id.startsWith("card-") && dialog.open) dialog.close();
});

for (const each of [dialog, keys])
  each.addEventListener("click", (event) => {
    if (event.target === each) each.close(); // the veil around it
  });

const titles = () => [...document.querySelectorAll(".card h2 a")];
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

const open = () => here()?.querySelector("h2 a")?.click();

const KEYS = { j: next, k: previous, o: open, "?": () => keys.showModal() };

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || dialog.open || keys.open) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
