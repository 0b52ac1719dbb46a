// The counts of the header, as the server pushes them: new finds, open questions, connected browsers, runs under way.
import { BASE } from "./base.js";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

export function showCounts({ finds, questions, browsers, running }) {
  const unread = document.querySelector("#unread [data-unread]");
  if (unread && Number(unread.dataset.unread) !== finds) showFinds(unread, finds);
  const asked = document.querySelector("[data-questions]");
  if (asked && Number(asked.querySelector("b").textContent) !== questions) {
    asked.hidden = questions === 0;
    asked.querySelector("b").textContent = questions;
    document.dispatchEvent(new Event("looking")); // the feed shows them too
  }
  const works = document.querySelector("[data-running]");
  if (works && works.hidden !== (running === 0)) {
    works.hidden = running === 0;
    const coin = works.parentElement.querySelector("img");
    coin.src = coin.src.replace(/penny(-working)?\.svg/, running ? "penny-working.svg" : "penny.svg");
  }
  const chip = document.querySelector("[data-browsers]");
  if (!chip) return;
  chip.classList.toggle("ok", browsers > 0);
  chip.classList.toggle("warn", browsers === 0);
  chip.querySelector(".dot").textContent = browsers > 0 ? "●" : "○";
  chip.querySelector(".words").textContent = browsers === 0 ? "no browser" : browsers === 1 ? "1 browser" : `${browsers} browsers`;
}

export function showStop({ is_stopped }) {
  const banner = document.querySelector("[data-stopped]");
  if (banner) banner.hidden = !is_stopped;
}

/** The feed asks for the cards that are new; the chat page has no htmx and needs the number alone. */
function showFinds(unread, finds) {
  if (globalThis.htmx) htmx.trigger("#unread", "look");
  else unread.dataset.unread = unread.textContent = finds;
}

/** A lost announcement costs the feed one poll at most. On the chat page, its own socket brings the counts. */
export function listenForCounts(wait = FIRST_WAIT_MS) {
  const url = new URL(`${BASE}/ws/feed`, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  let nextWait = Math.min(LONGEST_WAIT_MS, 2 * wait);
  socket.addEventListener("open", () => (nextWait = FIRST_WAIT_MS));
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === "counts.changed") showCounts(frame);
    if (frame.type === "stop.changed") showStop(frame);
    if (frame.type === "looking.changed") document.dispatchEvent(new Event("looking"));
  });
  socket.addEventListener("close", () => setTimeout(() => listenForCounts(nextWait), wait));
}
