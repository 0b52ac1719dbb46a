// The reader of a find: the sentence under the pointer, the finger or the focus shows its passage. n and p walk through.
// Without this script a style shows it, and the numbers lead to the sentence.
const WIDE = matchMedia("(min-width: 1000px)"); // as in reader.css
const HOVER_MS = 120; // the pointer may cross a sentence on its way to the margin

const cited = (reader) => [...reader.querySelectorAll(".sentence:has(.ref)")];
const currentOf = (reader) => reader.querySelector(".sentence.current");

/** Prepare a reader that was just shown. `anchor`: the id of the sentence to begin at, "" for none. */
export function startReader(reader, anchor = "") {
  reader.classList.add("lively");
  for (const link of reader.querySelectorAll(".ref")) link.ariaExpanded = "false";
  const first = cited(reader).find((sentence) => sentence.id === anchor) ?? (WIDE.matches || anchor ? cited(reader)[0] : null);
  if (first) show(reader, first);
  if (anchor) first?.scrollIntoView({ block: "center" });
}

function show(reader, sentence) {
  const before = currentOf(reader);
  before?.classList.remove("current");
  before?.querySelector(".ref").setAttribute("aria-expanded", "false");
  if (!sentence) return;
  sentence.classList.add("current");
  sentence.querySelector(".ref").setAttribute("aria-expanded", "true");
  place(reader, sentence);
}

// Beside the first line of the sentence, but not below the end of the text.
function place(reader, sentence) {
  const passage = sentence.nextElementSibling;
  passage.style.top = "";
  if (!WIDE.matches) return;
  const text = reader.querySelector(".text").getBoundingClientRect();
  const beside = sentence.getClientRects()[0].top - text.top;
  passage.style.top = `${Math.max(0, Math.min(beside, text.height - passage.offsetHeight))}px`;
}

/** Show the passage of the next (`step` 1) or previous (-1) sentence that has one. */
export function walk(reader, step) {
  const sentences = cited(reader);
  const at = sentences.indexOf(currentOf(reader));
  const next = sentences[at < 0 ? (step > 0 ? 0 : sentences.length - 1) : at + step];
  if (!next) return;
  next.querySelector(".ref").focus({ preventScroll: true });
  show(reader, next);
  next.scrollIntoView({ block: "center" });
}

let hovering;
const sentenceOf = (target) => target.closest?.(".lively .sentence:has(.ref)");
const readerOf = (sentence) => sentence.closest(".reader");

document.addEventListener("pointerover", ({ target, pointerType }) => {
  clearTimeout(hovering);
  const sentence = pointerType === "mouse" && sentenceOf(target);
  if (sentence && WIDE.matches) hovering = setTimeout(() => sentence.isConnected && show(readerOf(sentence), sentence), HOVER_MS);
});
document.addEventListener("focusin", ({ target }) => {
  const sentence = sentenceOf(target);
  if (sentence && target.matches(":focus-visible")) show(readerOf(sentence), sentence);
});
// A touch shows the passage below its sentence; another one takes it away.
document.addEventListener("click", (event) => {
  const sentence = sentenceOf(event.target);
  if (!sentence || !getSelection().isCollapsed) return;
  event.preventDefault();
  const isShown = sentence.classList.contains("current");
  show(readerOf(sentence), isShown && !WIDE.matches ? null : sentence);
});
addEventListener("resize", () => {
  for (const sentence of document.querySelectorAll(".sentence.current")) place(readerOf(sentence), sentence);
});

const onPage = document.querySelector("main > .reading > .reader");
if (onPage) startReader(onPage, location.hash.slice(1));
