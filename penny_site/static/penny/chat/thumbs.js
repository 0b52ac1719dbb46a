// Thumbs of the messages that tell of a thought. What is pressed is what stands, wherever it was said: the newest reaction in the list tells.
const list = document.getElementById("log");

/** `act` is called with "react" or "unreact", the thought's id, and 1 or -1. */
export function onThumb(act) {
  list.addEventListener("click", ({ target }) => {
    const button = target.closest(".thumbs button");
    if (!button) return;
    const place = button.closest(".thumbs");
    if (button.dataset.valence) act("react", thoughtOf(place), Number(button.dataset.valence));
    else takeBack(place, act);
  });
}

// The button that is pressed goes away with what it undoes; the focus does not.
function takeBack(place, act) {
  place.querySelector("button").focus();
  act("unreact", thoughtOf(place), Number(place.querySelector("[aria-pressed=true]").dataset.valence));
}

const thoughtOf = (place) => place.closest(".message").dataset.thought;

export function drawThumbs() {
  const standing = new Map();
  for (const { dataset } of list.querySelectorAll("[data-reaction]")) standing.set(dataset.thought, Number(dataset.reaction));
  for (const place of list.querySelectorAll(".thumbs")) draw(place, standing.get(thoughtOf(place)) ?? 0);
}

function draw(place, stands) {
  place.hidden = false;
  for (const thumb of place.querySelectorAll("[data-valence]")) thumb.ariaPressed = String(Number(thumb.dataset.valence) === stands);
  place.querySelector(".undo").hidden = stands === 0;
}
