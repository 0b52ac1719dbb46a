// The web chat: the conversation over /ws/web. The page comes with the last messages; this script keeps it live.
import { askApproval, askGrant, dismiss, dismissAll } from "./chat/asks.js";
import { append, clone, leave, newestSeq, ofTurn, oldestSeq, onMessageAction, onAskAgain, prepend, quotation, show, showTemporary, toEnd, toRest, useTimezone } from "./chat/log.js";
import { attach, attachments, detachAll, fileElements, watchFilePicker } from "./chat/file_picker.js";
import { CommandCompletion } from "./chat/completions.js";
import { Search } from "./chat/search.js";
import { Socket } from "./chat/socket.js";
import { showCounts } from "./live_counts.js";
import { draftExtras, draft, newId, outbox } from "./chat/storage.js";
import { onThumb } from "./chat/thumbs.js";
import * as turns from "./chat/turns.js";
import { FILES, NOT_CONNECTED } from "./chat/texts.js";
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

// The exchanges of this page's temporary chat, sealed by the server. They go with the next question; a reload drops them.
const sealedExchanges = [];

const send = (frame) => socket.send(frame);
const stop = (turnId) => send({ type: "turn.cancel", turn_id: turnId });

const FRAMES = {
  welcome,
  "message.new": ({ message }) => {
    show(message);
    if (message.turn_id && message.direction === "in") confirmSent(message.turn_id);
    send({ type: "message.ack", seq: message.seq });
  },
  "history.page": ({ messages, more }) => {
    prepend(messages);
    earlier.disabled = false;
    earlier.hidden = !more;
    goToMessage();
  },
  "history.found": (frame) => search.showResults(frame),
  commands: ({ ref, commands }) => completions.get(ref)?.(commands),
  "turn.started": (frame) => turns.showTurn(frame, stop),
  "turn.delta": turns.appendText,
  "turn.status": turns.showStatus,
  "turn.done": finishTurn,
  "turn.failed": finishTurn,
  "grant.ask": (frame) => askGrant(frame, send),
  "grant.dismiss": (frame) => dismiss(frame.request_id),
  "approval.ask": (frame) => askApproval(frame, send),
  "approval.dismiss": (frame) => dismiss(frame.request_id),
  "thoughts.count": ({ unread }) => countUnread(unread),
  "counts.changed": showCounts,
  ack: ({ ref }) => outbox.find(ref) && confirmSent(ref),
  error: rejectEntry,
};

function welcome({ owner, unread_thoughts: unread, seq }) {
  if (seq < newestSeq()) return location.reload(); // a backup was restored: the page shows messages that are gone
  useTimezone(owner.timezone);
  countUnread(unread);
  dismissAll();
  earlier.disabled = false;
  showError("");
  resend();
}

function finishTurn(frame) {
  if (frame.message.temporary) {
    showTemporary(frame.message);
    if (frame.message.sealed && outbox.find(frame.turn_id)) sealedExchanges.push(frame.message.sealed);
    outbox.remove(frame.turn_id);
  } else show(frame.message);
  turns.removeTurn(frame);
}

function countUnread(unread) {
  const place = document.querySelector("[data-unread]");
  if (place) place.textContent = place.dataset.unread = unread;
}

// Sending: an entry stays in the outbox, and is sent again under the same turn_id, until the server says that it has it. -------

function compose() {
  const files = attachments();
  const text = words.value.trim() || (files.length ? FILES.question : "");
  if (!text) return;
  words.value = "";
  draft.set("");
  grow();
  post({ turn_id: newId(), text, ...(files.length && { attachments: files }), ...(subject && { thought_id: subject.dataset.thought }), ...(isTemporary() ? { temporary: true } : repliedTo && { parent_id: repliedTo.dataset.id }) });
  forgetSubject();
  quote(null);
  detachAll();
}

watchFilePicker(draftExtras.get().files, showError, (files) => draftExtras.set({ files }));

const isTemporary = () => $("temporary").getAttribute("aria-pressed") === "true";
$("temporary").addEventListener("click", () => {
  $("temporary").setAttribute("aria-pressed", String(!isTemporary()));
  $("temporary-what").className = isTemporary() ? "what" : "unseen";
  words.focus();
});

// The message that the next message replies to.
let repliedTo = null;

function quote(element) {
  repliedTo = element;
  draftExtras.set({ quoted: element?.dataset.id ?? "" });
  $("replies").hidden = !element;
  $("replies").firstElementChild.replaceChildren(...(element ? [quotation(element)] : []));
  if (element) words.focus();
}

$("quote-off").addEventListener("click", () => {
  quote(null);
  words.focus();
});
onMessageAction({ quote, edit: ({ dataset }) => write(dataset.text) });

/** Put a text into the field for the owner to edit and send. */
function write(text) {
  words.value = text;
  draft.set(text);
  grow();
  words.focus();
}

// The thought that the next message is about. Later messages need no mention of it.
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
  showPending(entry);
  toEnd();
  deliver(entry);
}

// A thumb shows as pressed once the conversation holds the reaction. Sending it twice changes nothing.
onThumb((act, thoughtId, valence) => {
  const isSent = send({ type: `thought.${act}`, thought_id: thoughtId, valence });
  showError(isSent ? "" : NOT_CONNECTED);
});

// The new turn has the id of the failed message: two devices that ask again start one turn.
onAskAgain((failure, text) => post({ turn_id: failure, parent_id: failure, text }));

function deliver(entry) {
  const { turn_id, text, parent_id, thought_id, temporary, attachments } = entry;
  const rest = { ...(parent_id && { parent_id }), ...(thought_id && { thought_id }), ...(temporary && { temporary }), ...(attachments && { attachments }) };
  const earlier = temporary && !attachments ? sealedExchanges.slice(-EXCHANGES_MOST) : [];
  const isSent = send({ type: "chat.send", turn_id, text, ...rest, ...(earlier.length && { earlier }) });
  showEntryState(entry, isSent ? "Sending" : "Waiting for the connection");
}

function showPending(entry) {
  if (ofTurn(entry.turn_id, ".in")) return outbox.remove(entry.turn_id); // the page holds it: the server has it
  const element = clone("pending-template");
  element.dataset.turn = entry.turn_id;
  element.querySelector(".words").textContent = entry.text;
  element.querySelector(".files").append(...fileElements(entry.attachments));
  element.querySelector(".again").addEventListener("click", () => sendAgain(entry));
  element.querySelector(".discard").addEventListener("click", () => discard(entry.turn_id));
  append(element);
}

function showEntryState(entry, text, isRefused = false) {
  const element = ofTurn(entry.turn_id, ".pending");
  if (!element) return;
  element.classList.toggle("refused", isRefused);
  element.querySelector(".state").textContent = text;
  for (const name of [".again", ".discard"]) element.querySelector(name).hidden = !isRefused;
}

function sendAgain({ refused: _refused, strikes: _strikes, ...entry }) {
  outbox.put(entry);
  deliver(entry);
}

function discard(turnId) {
  outbox.remove(turnId);
  ofTurn(turnId, ".pending")?.remove();
}

// A temporary message is sent again on each connection until its answer arrives: the server stores none.
function confirmSent(turnId) {
  showEntryState({ turn_id: turnId }, "Sent");
  if (!outbox.find(turnId)?.temporary) outbox.remove(turnId);
}

function rejectEntry({ ref, code, message }) {
  const entry = ref && outbox.find(ref);
  if (!entry) return showError(message);
  if (code === "not_stored") return showEntryState(entry, "Penny cannot store it at the moment; it is sent again by itself");
  setAside(entry, message);
}

function setAside(entry, message) {
  outbox.put({ ...entry, refused: message });
  showEntryState(entry, `Not sent. ${message}`, true);
}

// The server closed the socket because of a frame. A message that causes this every time is set aside after three strikes.
function countStrike() {
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

function showConnection({ name, text, link }) {
  const line = $("connection");
  line.dataset.state = name;
  $("connection-text").textContent = text;
  $("connection-retry").hidden = name !== "waiting";
  $("connection-link").hidden = !link;
  if (link) [$("connection-link").textContent, $("connection-link").href] = link;
  if (name !== "connected") for (const entry of outbox.all()) if (!entry.refused) showEntryState(entry, "Waiting for the connection");
}

function fetchEarlier() {
  if (earlier.hidden || earlier.disabled) return;
  earlier.disabled = send({ type: "history.fetch", before_seq: oldestSeq(), limit: searchedSeq ? HISTORY_AT_MOST : HISTORY });
}

// The message to go to. The messages in between are fetched first: the list has no gaps.
let searchedSeq = 0;

function goToMessage(seq = searchedSeq) {
  if (!seq) return;
  const message = $(`m${seq}`);
  searchedSeq = message ? 0 : seq;
  if (message) highlight(message);
  else fetchEarlier();
}

function highlight(message) {
  leave();
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
  message.scrollIntoView({ block: "center" });
  message.dataset.found = "";
  setTimeout(() => delete message.dataset.found, POINTED_MS);
}

// Open requests for commands, by their reference. Without a connection there are no commands.
const completions = new Map();
const find = (prefix) =>
  new Promise((resolve) => {
    const ref = newId();
    completions.clear();
    if (send({ type: "commands.fetch", ref, begun: prefix.slice(0, 32) })) completions.set(ref, resolve);
    else resolve([]);
  });
new CommandCompletion({ field: words, list: $("commands"), find });

const search = new Search({ send: (frame) => send(frame), open: goToMessage });

$("composer").hidden = false;
$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  compose();
});
const { shared, name, type } = $("composer").dataset;
if (shared) {
  // What another app shared is a file: its words are not the owner's.
  void attach([new File([shared], name, { type })]);
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
new IntersectionObserver((observed) => observed.some((entry) => entry.isIntersecting) && fetchEarlier()).observe(earlier);

for (const entry of outbox.all()) {
  showPending(entry);
  if (entry.refused) showEntryState(entry, `Not sent. ${entry.refused}`, true);
}
grow();
const repliesTo = draftExtras.get().quoted;
if (repliesTo) quote(document.querySelector(`[data-id="${CSS.escape(repliesTo)}"]`));
toRest();
if (subject) words.focus();
const socket = new Socket({ cursor: newestSeq, onFrame: (frame) => FRAMES[frame.type]?.(frame), onState: showConnection, onRefusedFrame: countStrike });
setInterval(resend, RESEND_MS);
$("connection-retry").addEventListener("click", () => socket.retry());
