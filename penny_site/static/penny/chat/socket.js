// One socket to /ws/web that reconnects by itself. It knows of a frame only that it is an object with a `type`.
import { BASE } from "../base.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const PING_MS = 20_000;
const SILENT_MS = 45_000;

// Close codes after which reconnecting does not help, and what to do instead.
const FINAL = {
  4401: { text: "You are signed out.", link: ["Sign in", `${BASE}/sign-in/?next=${BASE}/chat/`] },
  4403: { text: "You are signed out.", link: ["Sign in", `${BASE}/sign-in/?next=${BASE}/chat/`] },
  4409: { text: "The chat is open in another tab.", link: ["Use it here", `${BASE}/chat/`] },
  4426: { text: "Penny was updated.", link: ["Reload", `${BASE}/chat/`] },
};

// Malformed; too large.
const REFUSED_FRAME_CODES = [4400, 4413];

export class Socket {
  constructor({ cursor, onFrame, onState, onRefusedFrame }) {
    this.cursor = cursor;
    this.onFrame = onFrame;
    this.onState = onState;
    this.onRefusedFrame = onRefusedFrame;
    this.attempt = 0;
    this.isReady = false;
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retry());
    setInterval(() => this.#checkAlive(), PING_MS);
    this.#open();
  }

  /** Send a frame; return false without a connection. */
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
    const cursor = this.cursor();
    if (cursor) url.searchParams.set("cursor", cursor);
    const socket = (this.socket = new WebSocket(url));
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.#handleClose(event.code));
    this.lastFrameAt = Date.now();
  }

  #receive(frame) {
    this.lastFrameAt = Date.now();
    if (frame.type === "welcome") {
      this.isReady = true;
      this.attempt = 0;
      this.onState({ name: "connected", text: "Connected" });
    }
    this.onFrame(frame);
  }

  async #handleClose(code) {
    this.isReady = false;
    if (REFUSED_FRAME_CODES.includes(code)) this.onRefusedFrame();
    const final = FINAL[code] ?? (code === 1006 && (await isSignedOut()) ? FINAL[4401] : undefined);
    if (final) return this.onState({ name: "over", ...final });
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempt++);
    const wait = longest * (0.5 + Math.random() / 2); // so that many tabs do not reconnect at once
    this.onState({ name: "waiting", text: wait < 2000 ? "Connecting again" : `Penny does not answer. Trying again in ${Math.round(wait / 1000)} s` });
    this.timer = setTimeout(() => this.#open(), wait);
  }

  // A socket whose other end vanished stays open for minutes; the ping finds out.
  #checkAlive() {
    if (!this.isReady) return;
    if (Date.now() - this.lastFrameAt > SILENT_MS) this.socket.close();
    else this.send({ type: "ping" });
  }
}

// The server refuses NUL and lone surrogates.
const wellFormed = (text) => text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD");

// A refused upgrade looks like a network error here: ask a page that needs a session.
async function isSignedOut() {
  try {
    return (await fetch(`${BASE}/thoughts/count/`, { redirect: "manual" })).type === "opaqueredirect";
  } catch {
    return false;
  }
}
