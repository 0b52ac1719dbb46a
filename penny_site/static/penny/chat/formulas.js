// Formulas: found in Markdown by the rules of thoughts/markdown/formulas.py, kept as code between TeX's brackets, drawn as MathML.
const CHARACTERS = 1000;
const BRACKETED = /^\\\(((?:[^\\\n]|\\[^()\n])+?)\\\)/;
const DISPLAYED = /^\\\[((?=.*(?:\\[A-Za-z]|(?<!\\)[\^_={+]))(?:[^\\]|\\[^[\]])+?)\\\]$/s;
const IN_SENTENCE = /^\\\[((?:[^\\]|\\[^[\]])+?)\\\](?!\()/s;
const DOUBLED = /^\$\$(\s*[^$\s][^$]*?)\$\$/;
const DOLLARS = /^\$((?!\s)(?:[^$\\\n]|\\[^\n])+?)(?<!\s)\$(?![\p{L}\p{N}_$])/u;
const IN_WORD = /^\$((?:[_^](?:\{[^{}$\n]+\}|\\[A-Za-z]+|[^\s$\\{}]))+|\\[A-Za-z]+)\$(?!\$)/u;
const CLOSED = /^\\\[(?:[^\\]|\\[^[\]])+?\\\]/s;
const SIGNS = /[\\^_={}<>+]|^[A-Za-z]{1,2}$/;

/** A plugin of markdown-it. */
export function formulas(md) {
  md.inline.ruler.before("escape", "formula", inline);
  md.block.ruler.before("fence", "formula", block, { alt: ["paragraph", "reference", "blockquote", "list"] });
}

function inline(state, silent) {
  const formula = formulaAt(state.src.slice(state.pos, Math.min(state.posMax, state.pos + CHARACTERS)));
  if (!formula) return false;
  if (!silent) state.push("code_inline", "code", 0).content = formula.code;
  state.pos += formula.length;
  return true;
}

function formulaAt(text) {
  if (text[0] !== "\\" && text[0] !== "$") return null;
  const simple = BRACKETED.exec(text) ?? DOLLARS.exec(text);
  if (simple && (text[0] === "\\" || SIGNS.test(simple[1]))) return { code: `\\(${simple[1].trim()}\\)`, length: simple[0].length };
  const inWord = IN_WORD.exec(text);
  if (inWord) return { code: `\\(${inWord[1]}\\)`, length: inWord[0].length };
  const match = DOUBLED.exec(text) ?? IN_SENTENCE.exec(text);
  if (!match || (text[0] === "\\" && !isFormula(match[1]))) return null;
  return { code: `\\[${oneLine(match[1])}\\]`, length: match[0].length };
}

function isFormula(tex) {
  const tokens = tex.match(/\\?./gsu);
  if (tokens.some((token) => /^(?:[\^_{]|\\[A-Za-z])$/.test(token))) return true;
  return tokens.some((token) => token === "=" || token === "+") && !/\p{L}{4}/u.test(tex);
}

function block(state, start, end, silent) {
  const startsAt = state.bMarks[start] + state.tShift[start];
  if (state.sCount[start] - state.blkIndent >= 4 || !/^(\\\[|\$\$)/.test(state.src.slice(startsAt, startsAt + 2))) return false;
  const last = lastLine(state, start, end, endOf(state.src, startsAt));
  if (last === null) return false;
  const lines = state.getLines(start, last + 1, state.blkIndent, false).trim();
  const doubled = DOUBLED.exec(lines);
  const match = DISPLAYED.exec(lines) ?? (doubled?.[0].length === lines.length ? doubled : null);
  if (match && !silent) push(state, oneLine(match[1]), start, last + 1);
  return match !== null;
}

/** Where the first closing bracket ends, -1 without one. No formula holds its own brackets: no other one can be right. */
function endOf(text, startsAt) {
  const part = text.slice(startsAt, startsAt + CHARACTERS);
  const length = part.startsWith("$$") ? part.indexOf("$$", 2) + 2 : (CLOSED.exec(part)?.[0].length ?? 0);
  return length > 2 ? startsAt + length : -1;
}

/** The line that a formula's end closes, null if there is more in that line or an empty line before. */
function lastLine(state, start, end, endsAt) {
  for (let line = start; line < end; line++) {
    const isOver = line > start && (state.isEmpty(line) || state.sCount[line] < state.blkIndent);
    if (isOver || endsAt < 0) return null;
    if (endsAt <= state.eMarks[line]) return state.src.slice(endsAt, state.eMarks[line]).trim() ? null : line;
  }
  return null;
}

function push(state, tex, start, end) {
  state.line = end;
  const token = state.push("code_block", "code", 0);
  token.content = `\\[${tex}\\]`;
  token.map = [start, end];
}

const oneLine = (tex) => tex.split(/\s+/).filter(Boolean).join(" ");

// Drawing ------------------------------------------------------------------------------------------------------------------

const TEX_CODE = /^\\([([])(.+)\\[)\]]$/s;
// `trust` would let a formula load and link. A formula that cannot be drawn stays as its source.
const OPTIONS = { output: "mathml", throwOnError: true, trust: false, strict: "ignore", maxSize: 20, maxExpand: 300 };
let katexModule;

/** Draw the formulas in an element, each in the place of its code. Resolves when all are drawn. */
export async function drawFormulas(root) {
  const codes = [...root.querySelectorAll("code")].filter((code) => TEX_CODE.test(code.textContent.trim()));
  const places = codes.map((code) => placeFor(code));
  if (places.length === 0) return;
  const katex = await (katexModule ??= import("../../vendor/katex-0.19.1.min.js").then((module) => globalThis.katex ?? module.default));
  for (const place of places) draw(katex, place);
}

/** Wrap the code in the element that will hold the formula, before anything is loaded: the caller still finds its code. */
function placeFor(code) {
  const block = code.closest("pre");
  const place = document.createElement(block ? "div" : "span");
  place.className = "formula";
  (block ?? code).replaceWith(place);
  place.append(code);
  return place;
}

function draw(katex, place) {
  const [, bracket, tex] = TEX_CODE.exec(place.textContent.trim());
  const holder = document.createElement("span");
  try {
    katex.render(tex, holder, { ...OPTIONS, displayMode: bracket === "[" });
  } catch {
    return;
  }
  place.replaceChildren(...holder.childNodes);
}
