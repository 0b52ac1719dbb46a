// The bar of a reason: while it moves, the line below says what would change. Letting go of it teaches, or Enter.
const PAUSE_MS = 250; // after the last movement, before Penny computes
let timer;
let asking;

const formOf = (element) => (element.type === "range" ? element.closest("form[data-preview]") : null);
const hasMoved = (range) => range.value !== range.defaultValue;

function forget() {
  clearTimeout(timer);
  asking?.abort();
}

async function preview(form) {
  asking = new AbortController();
  const line = document.getElementById(form.elements.strength.getAttribute("aria-describedby"));
  const query = new URLSearchParams({
    strength: form.elements.strength.value,
    thought: form.elements.thought.value,
  });
  try {
    const answer = await fetch(`${form.dataset.preview}?${query}`, {
      signal: asking.signal,
    });
    line.textContent = (await answer.json()).words;
  } catch (error) {
    if (error.name !== "AbortError") line.textContent = "Penny does not answer. Try again in a moment.";
  }
}

function teach(form) {
  forget();
  form.requestSubmit();
}

document.addEventListener("input", ({ target }) => {
  const form = formOf(target);
  if (!form) return;
  forget();
  timer = setTimeout(() => preview(form), PAUSE_MS);
});

document.addEventListener("pointerup", ({ target }) => {
  if (formOf(target) && hasMoved(target)) teach(formOf(target));
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const form = formOf(target);
  if (!form || !hasMoved(target) || !["Enter", "Escape"].includes(key)) return;
  event.preventDefault(); // the dialog around the bar stays open
  if (key === "Enter") return teach(form);
  target.value = target.defaultValue;
  forget();
  document.getElementById(target.getAttribute("aria-describedby")).textContent = "";
});
