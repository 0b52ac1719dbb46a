// Keep the newest message in view, at the beginning of a long answer, unless the owner scrolled up to read.
import { isAtEnd, isAtRest, restTop } from "./rest_position.js";

const FINGER_PX = 4;
const UPWARD = ["ArrowUp", "PageUp", "Home"];
const FIELDS = "input, textarea, select, dialog";

export class StickyScroll {
  /** Where the reader is: at the rest position ("rest"), at the end ("end"), or elsewhere ("elsewhere"). */
  #place = "rest";
  #newest = "";
  #size = "";
  #top = 0;

  /**
   * `box` returns the scrolling element, or null; `newest` the last answer, or null; `tell` is called with whether the end is in view.
   */
  constructor({ box, newest, tell }) {
    [this.box, this.newest, this.tell] = [box, newest, tell];
  }

  /** Whether new messages are scrolled into view. */
  get isFollowing() {
    return this.#place !== "elsewhere";
  }

  /** Scroll after any change that may have moved the end. */
  follow = () => {
    const box = this.box();
    if (!box) return;
    if (!this.isFollowing) return this.tell(isAtEnd(box));
    const newest = this.newest();
    if (this.#newest !== nameOf(newest)) this.#place = "rest";
    box.scrollTop = this.#place === "end" ? box.scrollHeight : restTop(box, newest);
    this.#note(box);
  };

  /** Go to the end and stay there. */
  toEnd = () => this.#go("end");

  /** Go to the rest position and follow the answer. */
  toRest = () => this.#go("rest");

  /** Stop following. */
  leave = () => {
    this.#place = "elsewhere";
    this.#note(this.box());
  };

  /** Handle a scroll event. A change of size scrolls too; only the owner's own scrolling says where they read. */
  scrolled = () => {
    const box = this.box();
    if (!box) return;
    if (this.isFollowing && this.#size !== sizeOf(box)) return this.follow();
    if (this.isFollowing || box.scrollTop > this.#top) this.#place = placeIn(box, this.newest(), this.#place);
    this.#note(box);
  };

  /**
   * Listen for wheel, touch and keys. Without this a fast answer pulls the owner back to the end before they can leave it.
   * Returns a function that stops listening.
   */
  listen = (element) => {
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    let startY = 0;
    const on = (target, type, hear) => target.addEventListener(type, hear, options);
    on(element, "wheel", ({ deltaY, ctrlKey }) => deltaY < 0 && !ctrlKey && this.#away());
    on(element, "touchstart", ({ touches }) => (startY = touches[0].clientY));
    on(element, "touchmove", ({ touches }) => touches.length === 1 && touches[0].clientY > startY + FINGER_PX && this.#away());
    on(document, "keydown", (event) => isUpward(event, element) && this.#away());
    return () => listening.abort();
  };

  #go(place) {
    this.#place = place;
    this.#newest = nameOf(this.newest());
    this.follow();
  }

  #away() {
    if (this.isFollowing && this.box()?.scrollTop > 0) this.leave();
  }

  #note(box) {
    if (!box) return;
    [this.#size, this.#top, this.#newest] = [sizeOf(box), box.scrollTop, nameOf(this.newest())];
    this.tell(isAtEnd(box));
  }
}

function placeIn(box, newest, before) {
  if (!isAtRest(box, newest)) return "elsewhere";
  return isAtEnd(box) && before !== "rest" ? "end" : "rest";
}

/** Name an answer by its turn: the running answer and its finished message share the name. */
const nameOf = (item) => item?.dataset.turn ?? item?.dataset.seq ?? "";

const sizeOf = (box) => `${box.scrollHeight} ${box.clientHeight} ${box.clientWidth}`;

function isUpward({ key, shiftKey, target, defaultPrevented }, element) {
  if (defaultPrevented || target.closest?.(FIELDS)) return false;
  return (UPWARD.includes(key) || (key === " " && shiftKey)) && (target === document.body || element.contains(target));
}
