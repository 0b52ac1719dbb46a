// One socket to /ws/web that comes back by itself. It knows frames only as objects with a `type`.
import { BASE } from "../base.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const PING_MS = 20_000;
const SILENT_MS = 45_000;

// Close codes after which trying again does not help, and what to do instead.
const FINAL = {
  4401: { text: "You are signed out.", link: ["Sign in", `${BASE}/sign-in/?next=${BASE}/chat/`] },
  4403: { text: "You are signed out.", link: ["Sign in", `${BASE}/sign-in/?next=${BASE}/chat/`] },
  4409: { text: "The chat is open in another tab.", link: ["Use it here", `${BASE}/chat/`] },
  4426: { text: "Penny was updated.", link: ["Reload", `${BASE}/chat/`] },
};

// Malformed, and too large.
const POISON = [4400, 4413];

export class Socket {
  constructor({ cursor, onFrame, onState, onPoison }) {
    this.cursor = cursor;
    this.onFrame = onFrame;
    this.onState = onState;
    this.onPoison = onPoison;
    this.attempt = 0;
    this.isReady = false;
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retry());
    setInterval(() => this.#breathe(), PING_MS);
    this.#open();
  }

  /** Send a frame; false when there is no connection to take it. */
  send(frame) {
    if (!this.isReady) return false;
    this.socket.send(JSON.stringify(frame, (_key, value) => (typeof value === "string" ? wellFormed(value) : value)));
    return true;
  }

  /** Stop waiting and try now. */
  retry() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.#open();
  }

  #open() {
    this.timer = undefined;
    this.onState({ name: "connecting", text: this.attempt ? "Connecting again" : "Connecting" });
    const url = new URL(`${BASE}/ws/web`, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const seen = this.cursor();
    if (seen) url.searchParams.set("cursor", seen);
    const socket = (this.socket = new WebSocket(url));
    socket.addEventListener("message", (event) => this.#take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.#closed(event.code));
    this.heard = Date.now();
  }

  #take(frame) {
    this.heard = Date.now();
    if (frame.type === "welcome") {
      this.isReady = true;
      this.attempt = 0;
      this.onState({ name: "connected", text: "Connected" });
    }
    this.onFrame(frame);
  }

  async #closed(code) {
    this.isReady = false;
    if (POISON.includes(code)) this.onPoison();
    const final = FINAL[code] ?? (code === 1006 && (await isSignedOut()) ? FINAL[4401] : undefined);
    if (final) return this.onState({ name: "over", ...final });
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempt++);
    const wait = longest * (0.5 + Math.random() / 2); // so that many tabs do not knock at once
    this.onState({ name: "waiting", text: wait < 2000 ? "Connecting again" : `Penny does not answer. Trying again in ${Math.round(wait / 1000)} s` });
    this.timer = setTimeout(() => this.#open(), wait);
  }

  // A socket whose other end vanished says nothing for minutes; the ping finds out.
  #breathe() {
    if (!this.isReady) return;
    if (Date.now() - this.heard > SILENT_MS) this.socket.close();
    else this.send({ type: "ping" });
  }
}

// The server refuses texts with NUL, and with halves of characters.
const wellFormed = (text) => text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD");

// A refused upgrade looks like a network error from here, so ask a page that needs a session.
async function isSignedOut() {
  try {
    return (await fetch(`${BASE}/thoughts/count/`, { redirect: "manual" })).type === "opaqueredirect";
  } catch {
    return false;
  }
}
