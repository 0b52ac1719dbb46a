// Keeps the newest in view for who is there already, the beginning of a long answer too, and leaves alone who scrolled up to read.
import { isAtEnd, isAtRest, restingTop } from "./resting.js";

const FINGER_PX = 4;
const UPWARD = ["ArrowUp", "PageUp", "Home"];
const FIELDS = "input, textarea, select, dialog";

export class Following {
  /** Where the reader is: where the conversation comes to rest by itself ("rest"), at its very end ("end"), or elsewhere ("elsewhere"). */
  #place = "rest";
  #newest = "";
  #size = "";
  #top = 0;

  /**
   * `box` returns what scrolls, or null; `newest` the answer that comes last, or null, which is named by the turn that it answers;
   * `tell` hears whether the end is in view.
   */
  constructor({ box, newest, tell }) {
    [this.box, this.newest, this.tell] = [box, newest, tell];
  }

  /** Whether what comes is shown by itself. */
  get isFollowing() {
    return this.#place !== "elsewhere";
  }

  /** Called when anything has changed that may have moved the end. */
  follow = () => {
    const box = this.box();
    if (!box) return;
    if (!this.isFollowing) return this.tell(isAtEnd(box));
    const newest = this.newest();
    if (this.#newest !== nameOf(newest)) this.#place = "rest";
    box.scrollTop = this.#place === "end" ? box.scrollHeight : restingTop(box, newest);
    this.#note(box);
  };

  /** The owner wants to see the end, and stay there. */
  toEnd = () => this.#go("end");

  /** The owner said something, and waits for what comes of it. */
  toRest = () => this.#go("rest");

  /** The owner is led elsewhere. */
  leave = () => {
    this.#place = "elsewhere";
    this.#note(this.box());
  };

  /** A change of size moves the box too; only the owner's own scrolling says where they are reading. */
  scrolled = () => {
    const box = this.box();
    if (!box) return;
    if (this.isFollowing && this.#size !== sizeOf(box)) return this.follow();
    if (this.isFollowing || box.scrollTop > this.#top) this.#place = placeIn(box, this.newest(), this.#place);
    this.#note(box);
  };

  /**
   * Listens for what the owner means by a wheel, a finger or a key: of an answer that grows quickly they would otherwise be pulled back
   * to the end before they are away from it. Returns what stops listening.
   */
  listen = (element) => {
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    let finger = 0;
    const on = (target, type, hear) => target.addEventListener(type, hear, options);
    on(element, "wheel", ({ deltaY, ctrlKey }) => deltaY < 0 && !ctrlKey && this.#away());
    on(element, "touchstart", ({ touches }) => (finger = touches[0].clientY));
    on(element, "touchmove", ({ touches }) => touches.length === 1 && touches[0].clientY > finger + FINGER_PX && this.#away());
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

/** A running answer and its finished message have one name. */
const nameOf = (item) => item?.dataset.turn ?? item?.dataset.seq ?? "";

const sizeOf = (box) => `${box.scrollHeight} ${box.clientHeight} ${box.clientWidth}`;

function isUpward({ key, shiftKey, target, defaultPrevented }, element) {
  if (defaultPrevented || target.closest?.(FIELDS)) return false;
  return (UPWARD.includes(key) || (key === " " && shiftKey)) && (target === document.body || element.contains(target));
}
