// The web chat: the one conversation over /ws/web. The page comes with the last messages; this makes it live.
import { askApproval, askGrant, dismiss, dismissAll } from "./chat/asks.js";
import { append, clone, leave, newestSeq, ofTurn, oldestSeq, onActs, onAskAgain, prepend, quotation, show, showTemporary, toEnd, toRest, useTimezone } from "./chat/log.js";
import { attached, detachAll, shownFiles, takeFiles } from "./chat/files.js";
import { Completing } from "./chat/completing.js";
import { Search } from "./chat/search.js";
import { Socket } from "./chat/socket.js";
import { along, draft, newId, outbox } from "./chat/stored.js";
import { onThumb } from "./chat/thumbs.js";
import * as turns from "./chat/turns.js";
import { FILES, NOT_CONNECTED } from "./chat/words.js";
import { showError } from "./error_line.js";

const $ = (id) => document.getElementById(id);
const words = $("words");
const earlier = $("earlier");
const TALLEST_PX = 200;
const HISTORY = 50;
const HISTORY_AT_MOST = 100;
const POINTED_MS = 2000;
const STRIKES = 3;
const EXCHANGES_MOST = 8;
const RESEND_MS = 15_000;

// What was said in the temporary chat of this page, sealed by the server: it goes along with the next question, and away with the page.
const saidInPassing = [];

const send = (frame) => socket.send(frame);
const stop = (turnId) => send({ type: "turn.cancel", turn_id: turnId });

const FRAMES = {
  welcome,
  "message.new": ({ message }) => {
    show(message);
    if (message.turn_id && message.direction === "in") settle(message.turn_id);
    send({ type: "message.ack", seq: message.seq });
  },
  "history.page": ({ messages, more }) => {
    prepend(messages);
    earlier.disabled = false;
    earlier.hidden = !more;
    lead();
  },
  "history.found": (frame) => search.take(frame),
  commands: ({ ref, commands }) => completions.get(ref)?.(commands),
  "turn.started": (frame) => turns.started(frame, stop),
  "turn.delta": turns.delta,
  "turn.status": turns.status,
  "turn.done": finish,
  "turn.failed": finish,
  "grant.ask": (frame) => askGrant(frame, send),
  "grant.dismiss": (frame) => dismiss(frame.request_id),
  "approval.ask": (frame) => askApproval(frame, send),
  "approval.dismiss": (frame) => dismiss(frame.request_id),
  "thoughts.count": ({ unread }) => countUnread(unread),
  ack: ({ ref }) => outbox.find(ref) && settle(ref),
  error: refused,
};

function welcome({ owner, unread_thoughts: unread, seq }) {
  if (seq < newestSeq()) return location.reload(); // a backup was restored: the page shows what is gone
  useTimezone(owner.timezone);
  countUnread(unread);
  dismissAll();
  earlier.disabled = false;
  showError("");
  resend();
}

function finish(frame) {
  if (frame.message.temporary) {
    showTemporary(frame.message);
    if (frame.message.sealed && outbox.find(frame.turn_id)) saidInPassing.push(frame.message.sealed);
    outbox.remove(frame.turn_id);
  } else show(frame.message);
  turns.ended(frame);
}

function countUnread(unread) {
  const place = document.querySelector("[data-unread]");
  if (place) place.textContent = place.dataset.unread = unread;
}

// Sending: an entry stays in the outbox, and is sent again under the same turn_id, until the server says that it has it. -------

function compose() {
  const files = attached();
  const text = words.value.trim() || (files.length ? FILES.question : "");
  if (!text) return;
  words.value = "";
  draft.set("");
  grow();
  post({ turn_id: newId(), text, ...(files.length && { attachments: files }), ...(subject && { thought_id: subject.dataset.thought }), ...(isTemporary() ? { temporary: true } : quoted && { parent_id: quoted.dataset.id }) });
  forgetSubject();
  quote(null);
  detachAll();
}

takeFiles(along.get().files, showError, (files) => along.set({ files }));

const isTemporary = () => $("temporary").getAttribute("aria-pressed") === "true";
$("temporary").addEventListener("click", () => {
  $("temporary").setAttribute("aria-pressed", String(!isTemporary()));
  $("temporary-what").className = isTemporary() ? "what" : "unseen";
  words.focus();
});

// The message that the next one replies to.
let quoted = null;

function quote(element) {
  quoted = element;
  along.set({ quoted: element?.dataset.id ?? "" });
  $("replies").hidden = !element;
  $("replies").firstElementChild.replaceChildren(...(element ? [quotation(element)] : []));
  if (element) words.focus();
}

$("quote-off").addEventListener("click", () => {
  quote(null);
  words.focus();
});
onActs({ quote, edit: ({ dataset }) => write(dataset.text) });

/** Put words into the box, to be changed and sent. */
function write(text) {
  words.value = text;
  draft.set(text);
  grow();
  words.focus();
}

// The thought that the next message is about. What follows it is about that anyway.
let subject = $("subject");
$("subject-off")?.addEventListener("click", () => {
  forgetSubject();
  words.focus();
});

function forgetSubject() {
  if (!subject) return;
  subject.remove();
  subject = null;
  history.replaceState(null, "", location.pathname);
}

function post(entry) {
  outbox.put(entry);
  wait(entry);
  toEnd();
  deliver(entry);
}

// A thumb shows as pressed once the conversation says so. The same sent again changes nothing.
onThumb((act, thoughtId, valence) => {
  const isSent = send({ type: `thought.${act}`, thought_id: thoughtId, valence });
  showError(isSent ? "" : NOT_CONNECTED);
});

// The turn is named for the failure that it follows: asked twice, on whatever devices, it is one.
onAskAgain((failure, text) => post({ turn_id: failure, parent_id: failure, text }));

function deliver(entry) {
  const { turn_id, text, parent_id, thought_id, temporary, attachments } = entry;
  const rest = { ...(parent_id && { parent_id }), ...(thought_id && { thought_id }), ...(temporary && { temporary }), ...(attachments && { attachments }) };
  const earlier = temporary && !attachments ? saidInPassing.slice(-EXCHANGES_MOST) : [];
  const isSent = send({ type: "chat.send", turn_id, text, ...rest, ...(earlier.length && { earlier }) });
  tell(entry, isSent ? "Sending" : "Waiting for the connection");
}

function wait(entry) {
  if (ofTurn(entry.turn_id, ".in")) return outbox.remove(entry.turn_id); // it came back with the page: the server has it
  const element = clone("pending-template");
  element.dataset.turn = entry.turn_id;
  element.querySelector(".words").textContent = entry.text;
  element.querySelector(".files").append(...shownFiles(entry.attachments));
  element.querySelector(".again").addEventListener("click", () => again(entry));
  element.querySelector(".discard").addEventListener("click", () => discard(entry.turn_id));
  append(element);
}

function tell(entry, text, isRefused = false) {
  const element = ofTurn(entry.turn_id, ".pending");
  if (!element) return;
  element.classList.toggle("refused", isRefused);
  element.querySelector(".state").textContent = text;
  for (const name of [".again", ".discard"]) element.querySelector(name).hidden = !isRefused;
}

function again({ refused: _refused, strikes: _strikes, ...entry }) {
  outbox.put(entry);
  deliver(entry);
}

function discard(turnId) {
  outbox.remove(turnId);
  ofTurn(turnId, ".pending")?.remove();
}

// A temporary one is sent on each connection until its answer is here: no message brings that later.
function settle(turnId) {
  tell({ turn_id: turnId }, "Sent");
  if (!outbox.find(turnId)?.temporary) outbox.remove(turnId);
}

function refused({ ref, code, message }) {
  const entry = ref && outbox.find(ref);
  if (!entry) return showError(message);
  if (code === "not_stored") return tell(entry, "Penny cannot store it at the moment; it is sent again by itself");
  setAside(entry, message);
}

function setAside(entry, message) {
  outbox.put({ ...entry, refused: message });
  tell(entry, `Not sent. ${message}`, true);
}

// The server closed the socket over something that was sent: a message that does it every time must not do so for ever.
function strike() {
  for (const entry of outbox.all()) {
    if (entry.refused) continue;
    const strikes = (entry.strikes ?? 0) + 1;
    if (strikes < STRIKES) outbox.put({ ...entry, strikes });
    else setAside(entry, "Penny closed the connection whenever this message came. It is kept here.");
  }
}

function resend() {
  for (const entry of outbox.all()) if (!entry.refused) deliver(entry);
}

// The page -----------------------------------------------------------------------------------------------------------------

function grow() {
  words.style.height = "auto";
  words.style.height = `${Math.min(TALLEST_PX, words.scrollHeight + 2)}px`;
}

function tellState({ name, text, link }) {
  const line = $("connection");
  line.dataset.state = name;
  $("connection-text").textContent = text;
  $("connection-retry").hidden = name !== "waiting";
  $("connection-link").hidden = !link;
  if (link) [$("connection-link").textContent, $("connection-link").href] = link;
  if (name !== "connected") for (const entry of outbox.all()) if (!entry.refused) tell(entry, "Waiting for the connection");
}

function fetchEarlier() {
  if (earlier.hidden || earlier.disabled) return;
  earlier.disabled = send({ type: "history.fetch", before_seq: oldestSeq(), limit: wanted ? HISTORY_AT_MOST : HISTORY });
}

// A message that was searched for: what lies between is fetched first, since the conversation has no gaps.
let wanted = 0;

function lead(seq = wanted) {
  if (!seq) return;
  const found = $(`m${seq}`);
  wanted = found ? 0 : seq;
  if (found) point(found);
  else fetchEarlier();
}

function point(message) {
  leave();
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
  message.scrollIntoView({ block: "center" });
  message.dataset.found = "";
  setTimeout(() => delete message.dataset.found, POINTED_MS);
}

// What the server is asked for, by its reference. Without a connection there is nothing to choose from.
const completions = new Map();
const find = (begun) =>
  new Promise((resolve) => {
    const ref = newId();
    completions.clear();
    if (send({ type: "commands.fetch", ref, begun: begun.slice(0, 32) })) completions.set(ref, resolve);
    else resolve([]);
  });
new Completing({ field: words, list: $("commands"), find });

const search = new Search({ send: (frame) => send(frame), open: lead });

$("composer").hidden = false;
$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  compose();
});
if (words.value) {
  draft.set([draft.get(), words.value].filter(Boolean).join("\n")); // what another app shared: the owner looks at it and sends it
  history.replaceState(null, "", location.pathname);
  words.focus();
}
words.value = draft.get();
words.addEventListener("input", () => {
  draft.set(words.value);
  grow();
});
words.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  compose();
});
earlier.hidden = $("log").dataset.more !== "true";
earlier.addEventListener("click", fetchEarlier);
new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && fetchEarlier()).observe(earlier);

for (const entry of outbox.all()) {
  wait(entry);
  if (entry.refused) tell(entry, `Not sent. ${entry.refused}`, true);
}
grow();
const repliesTo = along.get().quoted;
if (repliesTo) quote(document.querySelector(`[data-id="${CSS.escape(repliesTo)}"]`));
toRest();
if (subject) words.focus();
const socket = new Socket({ cursor: newestSeq, onFrame: (frame) => FRAMES[frame.type]?.(frame), onState: tellState, onPoison: strike });
setInterval(resend, RESEND_MS);
$("connection-retry").addEventListener("click", () => socket.retry());
