// The list of messages: stored ones in the order of their `seq`, then turns that run, then what waits to be sent.
import { BASE } from "../base.js";
import { messageActions } from "./message_actions.js";
import { formatBody } from "./formatting.js";
import { retryPictures, fileElements, watchPictures } from "./file_picker.js";
import { StickyScroll } from "./sticky_scroll.js";
import { isAtEnd } from "./rest_position.js";
import { drawThumbs } from "./thumbs.js";
import { DRESSING, PENNY, YOU } from "./texts.js";

const list = document.getElementById("log");
const scrollBox = document.getElementById("scroll");
const latest = document.getElementById("latest");
const QUOTED_CHARACTERS = 160;

let timeZone;
export const useTimezone = (name) => (timeZone = name);

export const clone = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

const storedMessages = () => [...list.querySelectorAll("[data-seq]")];
export const newestSeq = () => Number(storedMessages().at(-1)?.dataset.seq ?? 0);
export const oldestSeq = () => Number(storedMessages()[0]?.dataset.seq ?? 0);
export const ofTurn = (turnId, selector = "") => list.querySelector(`[data-turn="${turnId}"]${selector}`);

// In a low window, or at high zoom, the page scrolls instead of the list.
const scroller = () => (getComputedStyle(scrollBox).overflowY === "auto" ? scrollBox : document.scrollingElement);
// The answer that comes last: its beginning stays in view.
const newest = () => {
  const last = list.lastElementChild;
  return last?.matches(".out") ? last : null;
};

// An ask, or a taller composer, takes room from the list, and a narrower window makes it longer: who was at its end stays there.
// The list itself grows later too: images and formulas have their height only when they are there.
const following = new StickyScroll({ box: scroller, newest, tell: showNewBelow });
export const { leave, toEnd, toRest } = following;
const resizeObserver = new ResizeObserver(following.follow);
resizeObserver.observe(scrollBox);
resizeObserver.observe(list);
window.addEventListener("resize", following.follow);
document.addEventListener("scroll", following.scrolled, { capture: true, passive: true });
following.listen(scrollBox);
latest.addEventListener("click", toEnd);

function showNewBelow(isAtEnd) {
  latest.hidden = isAtEnd || (latest.hidden && !following.isFollowing);
}

/** Change the list and stay where it comes to rest if the owner was there; otherwise say that there is more below. */
export function change(act, { isNews = false } = {}) {
  act();
  following.follow();
  if (isNews && !isAtEnd(scroller())) latest.hidden = false;
  document.getElementById("nothing").hidden = list.children.length > 0;
  redraw();
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

// What failed or was stopped can be tried again while its question is here and was not asked again already.
function offerRetries() {
  for (const failure of list.querySelectorAll(".message:is(.failure, .cancelled)[data-id]:not(.temporary)")) {
    const isOpen = ofTurn(failure.dataset.turn, ".in") && !ofTurn(failure.dataset.id);
    failure.querySelector(".ask-again").hidden = !isOpen;
  }
}

// What a message offers depends on those after it.
function redraw() {
  offerRetries();
  drawThumbs();
}
redraw();

export function append(element) {
  change(() => list.append(element), { isNews: true });
}

/** Put a stored message in its place. It takes the place of the turn that ran, or of the words that waited. */
export function show(message) {
  const existing = document.getElementById(`m${message.seq}`);
  if (existing && existing.dataset.text === message.text) return;
  const element = build(message);
  if (existing) return existing.replaceWith(element); // its words were taken back elsewhere
  change(() => {
    if (message.turn_id) replaceTurn(element, message);
    const before = storedMessages().find((other) => Number(other.dataset.seq) > message.seq);
    const after = before ?? list.querySelector(".running, .pending");
    list.insertBefore(element, after);
  }, { isNews: message.direction === "out" });
}

/** What is drawn already of the pictures that were sent from here stays; those that came from elsewhere are there with the answer. */
function replaceTurn(element, { turn_id: turnId, direction }) {
  const before = ofTurn(turnId, direction === "in" ? ".pending" : ".running");
  const pictures = before?.matches(".pending") ? [...before.querySelector(".files").children] : [];
  if (pictures.length) element.querySelector(".files").replaceChildren(...pictures);
  before?.remove();
  if (direction === "out") retryPictures(ofTurn(turnId, ".in"));
}

/** Put the answer to a temporary question behind it. Neither has a place in the conversation, and a reload takes both away. */
export function showTemporary(message) {
  const question = ofTurn(message.turn_id, ".pending");
  if (!question) return;
  const element = build(message);
  element.removeAttribute("id");
  delete element.dataset.seq;
  element.classList.add("temporary");
  element.querySelector(".how")?.remove();
  element.querySelector("[data-act=quote]")?.remove();
  change(() => {
    question.className = "message in temporary";
    question.querySelector(".doing").remove();
    ofTurn(message.turn_id, ".running")?.remove();
    question.after(element);
  }, { isNews: true });
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
  redraw();
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
  element.dataset.text = message.text;
  if (message.parent_id) element.dataset.parent = message.parent_id;
  element.dataset.device = message.device_label;
  if (message.turn_id) element.dataset.turn = message.turn_id;
  if (message.thought_id) element.dataset.thought = message.thought_id;
  if (message.reaction !== undefined) element.dataset.reaction = message.reaction;
  const part = (name) => element.querySelector(`.${name}`);
  const isIn = message.direction === "in";
  part("who").textContent = isIn ? "You" : "Penny";
  part("where").textContent = isIn ? message.device_label : "";
  showTime(element.querySelector("time"), new Date(message.created_at));
  part("about").hidden = !message.page;
  part("title").textContent = message.page?.title ?? "";
  if (message.page && /^https?:/.test(message.page.url)) part("title").href = message.page.url;
  part("host").textContent = hostOf(message.page?.url);
  part("read").hidden = !message.page?.read;
  part("read").href = message.page?.read ?? "";
  part("shown").hidden = !message.page?.image;
  if (message.page?.image) part("shown").src = message.page.image;
  const thought = part("thought");
  thought.hidden = !isIn || !message.thought_id;
  if (message.thought_id) thought.firstElementChild.href = `${BASE}/thoughts/${message.thought_id}/`;
  if (isIn || message.kind !== "notification" || !message.thought_id) part("thumbs").remove();
  else part("thumbs").querySelector("a").href = `${BASE}/thoughts/${message.thought_id}/`;
  part("files").replaceChildren(...fileElements(message.attachments));
  part("words").replaceChildren(...nodes(message.html));
  const sites = isIn ? [] : message.origin.filter(isDomain);
  part("origin").replaceChildren(...sites.map(chip));
  part("origin").hidden = sites.length === 0;
  if (isIn || !message.turn_id) part("how").remove();
  else part("how").firstElementChild.href = `${BASE}/turns/${message.turn_id}/`;
  addBehaviour(element);
  return element;
}

let actionHandlers = {};
/** `given`: {quote, edit}; what messages that are there already can do as well. */
export function onMessageAction(handlers) {
  actionHandlers = handlers;
  for (const element of storedMessages()) addBehaviour(element);
}

/** Give a stored message what its readers need beyond its HTML. */
function addBehaviour(element) {
  watchPictures(element);
  formatBody(element.querySelector(".words"), DRESSING);
  const quotedMessage = quotedBy(element);
  if (quotedMessage) element.querySelector(".words").before(quotation(quotedMessage));
  element.append(messageActions(element, { quote: (target) => actionHandlers.quote(target), edit: (target) => actionHandlers.edit(target) }));
}

function quotedBy(element) {
  const { parent } = element.dataset;
  const message = element.matches(".in") && parent ? list.querySelector(`[data-id="${CSS.escape(parent)}"]`) : null;
  return message?.matches(".failure, .cancelled") ? null : message;
}

/** The beginning of a message, as text: it may be a page's words. */
export function quotation(element) {
  const quote = document.createElement("blockquote");
  quote.className = "quoted";
  const who = document.createElement("b");
  who.textContent = element.matches(".in") ? YOU : PENNY;
  const text = element.dataset.text;
  quote.append(who, ` ${text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS).trimEnd()} …` : text}`);
  return quote;
}

/** Makes nodes of an answer's words that are being written, and dresses them. */
export const streaming = { toNodes: nodes, formatBlock: (block) => formatBody(block, DRESSING) };

// The server sanitised it; parsed apart from the page, nothing in it runs or loads before it is put in place.
function nodes(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return [...page.body.childNodes].map((node) => document.importNode(node, true));
}

const isDomain = (label) => label !== "owner" && label !== "penny";

function chip(label) {
  const element = document.createElement("span");
  element.className = "chip";
  element.textContent = `from ${label}`;
  return element;
}

function showTime(time, at) {
  const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  const day = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone });
  time.dateTime = at.toISOString();
  time.title = at.toLocaleString("en-GB", { dateStyle: "full", timeStyle: "short", timeZone });
  time.textContent = day(at) === day(new Date()) ? clock : `${day(at)}, ${clock}`;
}
