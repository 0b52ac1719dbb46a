// What a message's HTML gets on every surface once it was sanitised: code that can be copied, tables that a narrow column turns into
// lists, formulas that are drawn. Nothing here reads HTML: only what stands in the page already is moved, named, and read as text.
import { drawFormulas } from "./formulas.js";

const COPIED_MS = 1500;
const NARROW_COLUMNS = 2; // a table of so many columns fits everywhere

/** `words`: {copyCode, copied, notCopied}, as they are shown. */
export function dress(root, words) {
  for (const table of root.querySelectorAll("table")) dressTable(table);
  for (const code of root.querySelectorAll("pre")) if (!isFormula(code)) dressCode(code, words);
  void drawFormulas(root);
}

const isFormula = (pre) => /^\\\[.*\\\]$/s.test(pre.textContent.trim());

/** Each cell knows the name of its column, so that a list of them can say it. */
function dressTable(table) {
  const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
  for (const row of table.querySelectorAll("tbody tr")) {
    [...row.cells].forEach((cell, place) => names[place] && (cell.dataset.column = names[place]));
  }
  const box = document.createElement("div");
  box.className = names.length > NARROW_COLUMNS ? "table reflows" : "table";
  table.replaceWith(box);
  box.append(table);
}

function dressCode(pre, words) {
  const box = document.createElement("div");
  box.className = "code";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet copy";
  button.textContent = words.copyCode;
  button.addEventListener("click", () => void copyBy(button, pre.textContent.replace(/\n$/, ""), words));
  pre.replaceWith(box);
  box.append(pre, button);
}

/** Copy a text, and say on the button whether that worked. */
export async function copyBy(button, text, words) {
  const name = button.textContent;
  button.textContent = (await copied(text)) ? words.copied : words.notCopied;
  setTimeout(() => (button.textContent = name), COPIED_MS);
}

/** Returns whether a text is in the clipboard now. Pages that come over plain http from another machine have only the old way. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  field.className = "unseen";
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand?.("copy") ?? false;
  field.remove();
  focused?.focus?.();
  return isCopied;
}
