// Running turns: the streamed text, what Penny is doing, and Stop. Deltas may be lost; the stored message is the source of truth.
import { showError } from "../error_line.js";
import { append, change, clone, streaming, ofTurn } from "./log.js";
import { NOT_CONNECTED, steps } from "./texts.js";

const runningTurn = (turnId) => ofTurn(turnId, ".running");
const texts = new WeakMap();
const streams = new WeakMap();

export function showTurn({ turn_id: turnId, attempt, device_label: label, text }, stop) {
  const element = runningTurn(turnId) ?? create(turnId, stop);
  element.dataset.attempt = attempt;
  element.querySelector(".where").textContent = `answers ${label}`;
  write(element, text);
  showActivity(element, "Thinking");
}

export function appendText({ turn_id: turnId, attempt, text }) {
  const element = runningTurn(turnId);
  if (!element || Number(element.dataset.attempt) !== attempt) return;
  write(element, (texts.get(element) ?? "") + text);
  showActivity(element, "Writing");
}

export function showStatus({ turn_id: turnId, text }) {
  const element = runningTurn(turnId);
  if (element) change(() => (showActivity(element, text), addStep(element, text)));
}

/** Show the text so far, formatted. Until the parser is loaded the text is plain. */
function write(element, text) {
  texts.set(element, text);
  const holder = element.querySelector(".words");
  const stream = streams.get(element);
  change(() => (stream ? stream.show(text) : (holder.textContent = text)));
}

async function startStreaming(element) {
  const { StreamedText } = await import("./streamed_text.js");
  const holder = element.querySelector(".words");
  holder.classList.remove("plain");
  streams.set(element, new StreamedText(holder, streaming));
  write(element, texts.get(element) ?? "");
}

/** Add a step to the list of steps. */
function addStep(element, text) {
  const list = element.querySelector(".steps ol");
  if (list.lastElementChild?.textContent === text) return;
  list.append(Object.assign(document.createElement("li"), { textContent: text }));
  const count = list.childElementCount;
  element.querySelector(".steps").hidden = count < 2;
  element.querySelector(".steps summary").textContent = steps(count);
}

export function removeTurn({ turn_id: turnId }) {
  change(() => runningTurn(turnId)?.remove());
}

function create(turnId, stop) {
  const element = clone("running-template");
  element.dataset.turn = turnId;
  const button = element.querySelector("button");
  button.addEventListener("click", () => {
    if (!stop(turnId)) return showError(NOT_CONNECTED);
    showError("");
    button.disabled = true;
    button.textContent = "Stopping";
  });
  append(element);
  void startStreaming(element);
  return element;
}

function showActivity(element, text) {
  const line = element.querySelector(".busy");
  if (line.textContent !== text) line.textContent = text;
}
