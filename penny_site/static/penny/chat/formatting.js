// Format the sanitised HTML of a message, on the page and in the sidebar: code with a copy button, tables that become lists in a
// narrow column, formulas. Nothing here parses HTML: elements of the page are moved and named, and their text is read.
import { drawFormulas } from "./formulas.js";

const COPIED_TEXT_MS = 1500;
const NARROW_COLUMNS = 2; // a table with at most so many columns fits everywhere

/** `words`: {copyCode, copied, notCopied}, as the owner sees them. */
export function formatBody(root, words) {
  for (const table of root.querySelectorAll("table")) formatTable(table);
  for (const code of root.querySelectorAll("pre")) if (!isFormula(code)) formatCode(code, words);
  void drawFormulas(root);
}

const isFormula = (pre) => /^\\\[.*\\\]$/s.test(pre.textContent.trim());

/** Name the column in each cell: the list shows it. */
function formatTable(table) {
  const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
  for (const row of table.querySelectorAll("tbody tr")) {
    [...row.cells].forEach((cell, place) => names[place] && (cell.dataset.column = names[place]));
  }
  const box = document.createElement("div");
  box.className = names.length > NARROW_COLUMNS ? "table reflows" : "table";
  table.replaceWith(box);
  box.append(table);
}

function formatCode(pre, words) {
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

/** Copy a text and show on the button whether that worked. */
export async function copyBy(button, text, words) {
  const name = button.textContent;
  button.textContent = (await copyText(text)) ? words.copied : words.notCopied;
  setTimeout(() => (button.textContent = name), COPIED_TEXT_MS);
}

/** Copy a text; return whether that worked. Over plain http from another machine only a selection can be copied. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  field.className = "unseen";
  const activeElement = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand?.("copy") ?? false;
  field.remove();
  activeElement?.focus?.();
  return isCopied;
}
