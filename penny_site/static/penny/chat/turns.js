// Turns that run: their words as they stream, what Penny is doing, and Stop. Deltas are hints; the stored message is the truth.
import { showError } from "../error_line.js";
import { append, change, clone, growing, ofTurn } from "./log.js";
import { NOT_CONNECTED, steps } from "./words.js";

const running = (turnId) => ofTurn(turnId, ".running");
const texts = new WeakMap();
const writings = new WeakMap();

export function started({ turn_id: turnId, attempt, device_label: label, text }, stop) {
  const element = running(turnId) ?? create(turnId, stop);
  element.dataset.attempt = attempt;
  element.querySelector(".where").textContent = `answers ${label}`;
  write(element, text);
  doing(element, "Thinking");
}

export function delta({ turn_id: turnId, attempt, text }) {
  const element = running(turnId);
  if (!element || Number(element.dataset.attempt) !== attempt) return;
  write(element, (texts.get(element) ?? "") + text);
  doing(element, "Writing");
}

export function status({ turn_id: turnId, text }) {
  const element = running(turnId);
  if (element) change(() => (doing(element, text), note(element, text)));
}

/** Show the words so far as what they will be. Until the parser is there they are shown as they come. */
function write(element, text) {
  texts.set(element, text);
  const holder = element.querySelector(".words");
  const writing = writings.get(element);
  change(() => (writing ? writing.show(text) : (holder.textContent = text)));
}

async function begin(element) {
  const { Writing } = await import("./writing.js");
  const holder = element.querySelector(".words");
  holder.classList.remove("plain");
  writings.set(element, new Writing(holder, growing));
  write(element, texts.get(element) ?? "");
}

/** Keep what was done, for who wants to know. */
function note(element, text) {
  const list = element.querySelector(".steps ol");
  if (list.lastElementChild?.textContent === text) return;
  list.append(Object.assign(document.createElement("li"), { textContent: text }));
  const count = list.childElementCount;
  element.querySelector(".steps").hidden = count < 2;
  element.querySelector(".steps summary").textContent = steps(count);
}

export function ended({ turn_id: turnId }) {
  change(() => running(turnId)?.remove());
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
  void begin(element);
  return element;
}

function doing(element, text) {
  const line = element.querySelector(".busy");
  if (line.textContent !== text) line.textContent = text;
}
