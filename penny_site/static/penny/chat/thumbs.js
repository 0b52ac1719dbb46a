// Thumbs of the messages that announce a thought. The newest reaction in the list decides which thumb is pressed, on whatever
// device it was given.
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

// The Undo button disappears with the reaction: the focus moves to the thumb.
function takeBack(place, act) {
  place.querySelector("button").focus();
  act("unreact", thoughtOf(place), Number(place.querySelector("[aria-pressed=true]").dataset.valence));
}

const thoughtOf = (place) => place.closest(".message").dataset.thought;

export function drawThumbs() {
  const reactions = new Map();
  for (const { dataset } of list.querySelectorAll("[data-reaction]")) reactions.set(dataset.thought, Number(dataset.reaction));
  for (const place of list.querySelectorAll(".thumbs")) draw(place, reactions.get(thoughtOf(place)) ?? 0);
}

function draw(place, reaction) {
  place.hidden = false;
  for (const thumb of place.querySelectorAll("[data-valence]")) thumb.ariaPressed = String(Number(thumb.dataset.valence) === reaction);
  place.querySelector(".undo").hidden = reaction === 0;
}
