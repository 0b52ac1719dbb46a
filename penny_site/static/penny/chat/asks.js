// Questions to the owner, one at a time. The first answer on any device wins and dismisses the rest.
import { showError } from "../error_line.js";
import { GUARD_MS } from "./answer_guard.js";
import { clone } from "./log.js";
import { NOT_CONNECTED } from "./texts.js";

const place = document.getElementById("asks");
const queue = [];
let changedAt = -GUARD_MS; // when the last visible question was replaced
const LONGEST_MS = 2 ** 31 - 1; // a longer timer fires at once

const GRANT_ANSWERS = [
  ["Allow once", "primary", { decision: "allow", scope: "once" }],
  ["For this task", "", { decision: "allow", scope: "run" }],
  ["For an hour", "", { decision: "allow", scope: "hour" }],
  ["Always", "", { decision: "allow", scope: "always" }],
  ["Block", "stop", { decision: "block", scope: "always" }],
  ["Not now", "quiet", { decision: "dismiss" }],
];
const APPROVAL_ANSWERS = [
  ["Allow", "primary", { decision: "allow" }],
  ["Deny", "stop", { decision: "deny" }],
  ["Not now", "quiet", { decision: "dismiss" }],
];
const VERBS = { read: "read pages on", act: "act on pages of" };

export function askGrant(frame, send) {
  add(frame, { verb: VERBS[frame.capability], host: frame.host, reason: frame.reason, answers: GRANT_ANSWERS }, (answer) =>
    send({ type: "grant.answer", request_id: frame.request_id, ...answer }),
  );
}

export function askApproval(frame, send) {
  add(frame, { text: frame.text, answers: APPROVAL_ANSWERS }, (answer) =>
    send({ type: "approval.answer", request_id: frame.request_id, ...answer }),
  );
}

export function dismiss(requestId) {
  const at = queue.findIndex((ask) => ask.id === requestId);
  if (at < 0) return;
  clearTimeout(queue[at].timer);
  queue.splice(at, 1);
  if (at === 0) draw();
  else count(place.firstElementChild);
}

/** Drop all questions: after a new connection the server sends the open ones again. */
export function dismissAll() {
  for (const ask of queue) clearTimeout(ask.timer);
  queue.length = 0;
  draw();
}

function add({ request_id: id, expires_at: until }, words, answer) {
  const timer = setTimeout(() => dismiss(id), Math.min(LONGEST_MS, Math.max(0, Date.parse(until) - Date.now())));
  const existing = queue.find((ask) => ask.id === id);
  if (existing) {
    // Sent again with a later expiry: the question keeps its place and its buttons.
    clearTimeout(existing.timer);
    existing.timer = timer;
    existing.until = Date.parse(until);
    return;
  }
  const ask = { id, words, answer, timer, until: Date.parse(until) };
  const at = queue.findIndex((other) => other.until > ask.until); // questions that expire first come first
  queue.splice(at < 0 ? queue.length : at, 0, ask);
  if (queue[0] === ask) draw();
  else count(place.firstElementChild);
}

function draw() {
  const [ask] = queue;
  if (place.firstElementChild) changedAt = performance.now();
  place.replaceChildren();
  if (!ask) return;
  const element = clone("ask-template");
  const question = element.querySelector(".question");
  if (ask.words.host) {
    const host = document.createElement("b");
    host.textContent = ask.words.host;
    question.append(`May Penny ${ask.words.verb} `, host, "?");
  } else question.textContent = ask.words.text;
  element.setAttribute("aria-label", question.textContent);
  element.querySelector(".reason").textContent = ask.words.reason ?? "";
  element.querySelector(".answers").append(...ask.words.answers.map((row) => button(ask, row)));
  count(element);
  place.append(element);
  guard(element);
}

function guard(element) {
  const left = changedAt + GUARD_MS - performance.now();
  if (left <= 0) return;
  const buttons = element.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  setTimeout(() => buttons.forEach((button) => (button.disabled = false)), left);
}

function button(ask, [label, kind, answer]) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = `button ${kind}`;
  element.textContent = label;
  element.addEventListener("click", () => {
    if (!ask.answer(answer)) return showError(NOT_CONNECTED);
    showError("");
    dismiss(ask.id);
  });
  return element;
}

function count(element) {
  const others = element.querySelector(".others");
  others.hidden = queue.length < 2;
  others.textContent = `${queue.length - 1} more after this`;
}
