// The list of messages: stored ones in the order of their `seq`, then turns that run, then what waits to be sent.
const list = document.getElementById("log");
const scrollBox = document.getElementById("scroll");
const latest = document.getElementById("latest");
const NEAR_PX = 80;

let timeZone;
export const useTimezone = (name) => (timeZone = name);

export const clone = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

const stored = () => [...list.querySelectorAll("[data-seq]")];
export const newestSeq = () => Number(stored().at(-1)?.dataset.seq ?? 0);
export const oldestSeq = () => Number(stored()[0]?.dataset.seq ?? 0);
export const ofTurn = (turnId, selector = "") => list.querySelector(`[data-turn="${turnId}"]${selector}`);

// In a low window, or at high zoom, the page scrolls instead of the list.
const scroller = () => (getComputedStyle(scrollBox).overflowY === "auto" ? scrollBox : document.scrollingElement);
const isAtEnd = () => {
  const box = scroller();
  return box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
};

export function toEnd() {
  scroller().scrollTop = scroller().scrollHeight;
  latest.hidden = true;
}

/** Change the list and stay at its end if the owner was there; otherwise say that there is more below. */
export function change(act, { isNews = false } = {}) {
  const wasAtEnd = isAtEnd();
  act();
  if (wasAtEnd) toEnd();
  else if (isNews) latest.hidden = false;
  document.getElementById("nothing").hidden = list.children.length > 0;
  offerRetries();
}

let askAgain = () => {};
/** `act` is called with the id of a failure and the text of the question that it left unanswered. */
export const onAskAgain = (act) => (askAgain = act);

list.addEventListener("click", ({ target }) => {
  const button = target.closest(".ask-again");
  const failure = button?.closest("[data-id]");
  const question = failure && ofTurn(failure.dataset.turn, ".in")?.dataset.text;
  if (!question) return;
  button.hidden = true;
  askAgain(failure.dataset.id, question);
});

// A failure can be tried again while its question is here and was not asked again already.
function offerRetries() {
  for (const failure of list.querySelectorAll(".message.failure[data-id]")) {
    const isOpen = ofTurn(failure.dataset.turn, ".in")?.dataset.text && !ofTurn(failure.dataset.id);
    failure.querySelector(".ask-again").hidden = !isOpen;
  }
}
offerRetries();

export function append(element) {
  change(() => list.append(element), { isNews: true });
}

/** Put a stored message in its place. It takes the place of the turn that ran, or of the words that waited. */
export function show(message) {
  if (document.getElementById(`m${message.seq}`)) return;
  const element = build(message);
  change(() => {
    if (message.turn_id) ofTurn(message.turn_id, message.direction === "in" ? ".pending" : ".running")?.remove();
    const before = stored().find((other) => Number(other.dataset.seq) > message.seq);
    const after = before ?? list.querySelector(".running, .pending");
    list.insertBefore(element, after);
  }, { isNews: message.direction === "out" });
}

/** Put older messages on top, without moving what the owner reads. */
export function prepend(messages) {
  const box = scroller();
  const fromEnd = box.scrollHeight - box.scrollTop;
  list.setAttribute("aria-busy", "true");
  for (const message of messages.toReversed()) {
    if (!document.getElementById(`m${message.seq}`)) list.prepend(build(message));
  }
  list.removeAttribute("aria-busy");
  offerRetries();
  box.scrollTop = box.scrollHeight - fromEnd;
}

// A stored address may be one that no browser understands.
const hostOf = (url) => (url && URL.canParse(url) ? new URL(url).host : "");

function build(message) {
  const element = clone("message-template");
  element.id = `m${message.seq}`;
  element.className = `message ${message.direction} ${message.kind}`;
  element.dataset.id = message.id;
  element.dataset.seq = message.seq;
  if (message.direction === "in") element.dataset.text = message.text;
  element.dataset.device = message.device_label;
  if (message.turn_id) element.dataset.turn = message.turn_id;
  const part = (name) => element.querySelector(`.${name}`);
  const isIn = message.direction === "in";
  part("who").textContent = isIn ? "You" : "Penny";
  part("where").textContent = isIn ? message.device_label : "";
  stamp(element.querySelector("time"), new Date(message.created_at));
  part("about").hidden = !message.page;
  part("title").textContent = message.page?.title ?? "";
  part("host").textContent = hostOf(message.page?.url);
  part("shown").hidden = !message.page?.image;
  if (message.page?.image) part("shown").src = message.page.image;
  const thought = part("thought");
  thought.hidden = !isIn || !message.thought_id;
  if (message.thought_id) thought.firstElementChild.href = `/thoughts/${message.thought_id}/`;
  part("words").replaceChildren(...nodes(message.html));
  const sites = isIn ? [] : message.origin.filter(isDomain);
  part("origin").replaceChildren(...sites.map(chip));
  part("origin").hidden = sites.length === 0;
  if (isIn || !message.turn_id) part("how").remove();
  else part("how").firstElementChild.href = `/turns/${message.turn_id}/`;
  return element;
}

// The server sanitised it; parsed apart from the page, nothing in it runs or loads before it is put in place.
function nodes(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.body.childNodes].map((node) => document.importNode(node, true));
}

const isDomain = (label) => label !== "owner" && label !== "penny";

function chip(label) {
  const element = document.createElement("span");
  element.className = "chip";
  element.textContent = `from ${label}`;
  return element;
}

function stamp(time, at) {
  const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  const day = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone });
  time.dateTime = at.toISOString();
  time.title = at.toLocaleString("en-GB", { dateStyle: "full", timeStyle: "short", timeZone });
  time.textContent = day(at) === day(new Date()) ? clock : `${day(at)}, ${clock}`;
}

// An ask, or a taller composer, takes room from the list: who was at its end stays there.
let staysAtEnd = true;
new ResizeObserver(() => staysAtEnd && toEnd()).observe(scrollBox);

latest.addEventListener("click", toEnd);
document.addEventListener(
  "scroll",
  () => {
    staysAtEnd = isAtEnd();
    if (staysAtEnd) latest.hidden = true;
  },
  { capture: true, passive: true },
);
