// An answer while it is being written: Markdown that is not over yet, shown as the server will show the whole of it. Only what changed
// is made anew, and what may still become something else is not shown as what it is not.
import markdownIt from "../../vendor/markdown-it-15.0.3.min.js";
import { formulas } from "./formulas.js";

const HANDLE = String.raw`[ps]\d+(?:\.[lrc]\d+)?`;
// What stands for a source: the server puts a link there.
const HANDLES = new RegExp(String.raw` ?\[${HANDLE}(?:[ ]*,[ ]*${HANDLE})*\]`, "g");
// The last words, as long as they may be the beginning of something.
const UNDECIDED = [
  /\s*\[(?:[ps]\d*(?:\.[lrc]?\d*)?(?:\s*,\s*)?)*$/, // a handle
  /\n[ \t]*(?:[-=*+_]+|\d+[.)]?|#+|>+|`{1,3}|~{1,3})[ \t]*$/, // an item of a list, a heading, a rule, a fence
  /(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t|:-]*)?$/, // a table before its second row
  /\\[([]?$|\\\((?:(?!\\\))[^\n])*$|(?:^|\n)\\\[(?:(?!\\\]|\n\n)[^]){0,1000}$/, // a formula
];

const OPEN_STAR = /(?:^|[\s(])\*(?=[^\s*])(?:(?![^\s*]\*(?!\*))[^])*$/;

const parser = markdownIt("default", { html: false, linkify: false, typographer: false }).disable("image").use(formulas);
// Addresses that a model writes are dropped in the end, unless a source stands behind them.
parser.renderer.rules.link_open = parser.renderer.rules.link_close = () => "";

/** Return the HTML of each block of an answer of which so much is there. */
export const blocksOf = (text) => parsed(text).map(({ html }) => html);

/** Return each block as {html, line}: where in the text it begins. */
function parsed(text) {
  const known = text.replace(HANDLES, "");
  const blocks = [];
  let tokens = [];
  for (const token of parser.parse(isInFence(known) ? known : closed(decided(known)), {})) {
    tokens.push(token);
    if (token.level > 0 || token.nesting > 0) continue;
    blocks.push({ html: parser.renderer.render(tokens, parser.options, {}), line: tokens[0].map?.[0] ?? 0 });
    tokens = [];
  }
  return blocks;
}

const isInFence = (text) => (text.match(/^[ \t]*(?:```|~~~)/gm) ?? []).length % 2 === 1;

function decided(text) {
  const cut = UNDECIDED.reduce((left, ending) => left.replace(ending, ""), text);
  return cut.replace(/\[([^\]\n]*)\]\([^)\s]*$/, "$1");
}

/** Close the emphasis and the code that are open in the last paragraph, so that their signs never show. */
function closed(text) {
  const start = text.lastIndexOf("\n\n") + 1;
  let last = text.slice(start);
  if (last.split("`").length % 2 === 0) last = last.endsWith("`") ? last.slice(0, -1) : `${last}\``;
  last = last.replace(/(^|[\s(])[*_~]+$/, "$1");
  if (OPEN_STAR.test(last)) last = `${last.trimEnd()}*`;
  if (last.split("**").length % 2 === 0) last = last.endsWith("**") ? last.slice(0, -2) : `${last.trimEnd().replace(/\*$/, "")}**`;
  return text.slice(0, start) + last;
}

/** Shows a text that grows in an element. `toNodes` makes nodes of HTML, `dress` gives each block what its readers need. */
export class Writing {
  #blocks = [];
  // What cannot change any more: that many blocks, made of the beginning of the text.
  #settled = { text: "", blocks: 0 };

  constructor(holder, { toNodes, dress }) {
    this.holder = holder;
    this.toNodes = toNodes;
    this.dress = dress;
    holder.replaceChildren();
  }

  show(text) {
    if (!text.startsWith(this.#settled.text)) this.#settled = { text: "", blocks: 0 };
    const { text: before, blocks: settled } = this.#settled;
    const rest = text.slice(before.length);
    const next = parsed(rest);
    const first = this.#blocks.findIndex((block, place) => place >= settled && block.html !== next[place - settled]?.html);
    const kept = first < 0 ? this.#blocks.length : first;
    for (const { nodes } of this.#blocks.splice(kept)) for (const node of nodes) node.remove();
    for (const { html } of next.slice(kept - settled)) this.#append(html);
    this.#settle(before, rest, next);
  }

  /** The last block may still grow, and take the one before it along. */
  #settle(before, rest, next) {
    if (next.length < 3) return;
    const lines = rest.split("\n").slice(0, next.at(-2).line);
    this.#settled = { text: before + lines.map((line) => `${line}\n`).join(""), blocks: this.#settled.blocks + next.length - 2 };
  }

  #append(html) {
    const block = document.createElement("div");
    block.append(...this.toNodes(html));
    this.dress(block);
    const nodes = [...block.childNodes];
    this.holder.append(...nodes);
    this.#blocks.push({ html, nodes });
  }
}
