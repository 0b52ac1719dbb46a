// Turns that run: their words as they stream, what Penny is doing, and Stop. Deltas are hints; the stored message is the truth.
import { append, change, clone, ofTurn } from "./log.js";

const running = (turnId) => ofTurn(turnId, ".running");

export function started({ turn_id: turnId, attempt, device_label: label, text }, stop) {
  const element = running(turnId) ?? create(turnId, stop);
  element.dataset.attempt = attempt;
  element.querySelector(".where").textContent = `answers ${label}`;
  change(() => (element.querySelector(".words").textContent = text));
  doing(element, "Thinking");
}

export function delta({ turn_id: turnId, attempt, text }) {
  const element = running(turnId);
  if (!element || Number(element.dataset.attempt) !== attempt) return;
  change(() => element.querySelector(".words").append(text));
  doing(element, "Writing");
}

export function status({ turn_id: turnId, text }) {
  const element = running(turnId);
  if (element) change(() => doing(element, text));
}

export function ended({ turn_id: turnId }) {
  change(() => running(turnId)?.remove());
}

function create(turnId, stop) {
  const element = clone("running-template");
  element.dataset.turn = turnId;
  const button = element.querySelector("button");
  button.addEventListener("click", () => {
    button.disabled = true;
    button.textContent = "Stopping";
    stop(turnId);
  });
  append(element);
  return element;
}

function doing(element, text) {
  const line = element.querySelector(".busy");
  if (line.textContent !== text) line.textContent = text;
}
