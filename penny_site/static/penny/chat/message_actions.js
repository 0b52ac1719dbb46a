// The buttons below a message: copy, reply, edit. The script adds them, as they need it.
import { copyText } from "./formatting.js";
import { ACTS } from "./texts.js";

const SHOWN_MS = 1500;
const SVG = "http://www.w3.org/2000/svg";
const SHAPES = {
  copy: "M8 8h11v12H8zM5 16V4h11",
  quote: "M5 17c3 0 4-2 4-5V7H4v5h5M15 17c3 0 4-2 4-5V7h-5v5h5",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
};

/** Make the row of buttons. `act`: {quote, edit}, each called with the element of the message. */
export function messageActions(element, act) {
  const row = document.createElement("div");
  row.className = "acts";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", ACTS.group);
  const statusLine = document.createElement("span");
  statusLine.className = "unseen";
  statusLine.setAttribute("role", "status");
  row.append(button("copy", () => void copy(element, statusLine)), button("quote", () => act.quote(element)));
  if (element.matches(".in:not(.reaction)")) row.append(button("edit", () => act.edit(element)));
  row.append(statusLine);
  return row;
}

async function copy(element, statusLine) {
  statusLine.textContent = (await copyText(element.dataset.text)) ? ACTS.copied : ACTS.notCopied;
  statusLine.className = "chip";
  setTimeout(() => {
    statusLine.textContent = "";
    statusLine.className = "unseen";
  }, SHOWN_MS);
}

function button(name, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button quiet";
  element.dataset.act = name;
  element.title = ACTS[name];
  element.setAttribute("aria-label", ACTS[name]);
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SHAPES[name]);
  icon.append(path);
  element.append(icon);
  element.addEventListener("click", act);
  return element;
}
