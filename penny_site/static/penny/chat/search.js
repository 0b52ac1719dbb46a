// Search the whole conversation over the socket, not only the messages on the page.
import { snippetAround } from "./snippet.js";
import { newId } from "./storage.js";
import { PENNY, SEARCH, YOU } from "./texts.js";

const PAUSE_MS = 200;
const $ = (id) => document.getElementById(id);

export class Search {
  #ref = "";
  #oldest;
  #timer;

  /** `send` returns whether a frame left; `open` goes to a message by its `seq`. */
  constructor({ send, open }) {
    this.send = send;
    this.open = open;
    $("search").addEventListener("click", () => this.#show($("searching").hidden));
    $("search-close").addEventListener("click", () => this.#show(false));
    $("searching").addEventListener("keydown", ({ key }) => key === "Escape" && this.#show(false));
    $("search-words").addEventListener("input", () => this.#searchSoon());
    $("search-more").addEventListener("click", () => this.#search(this.#oldest));
  }

  /** Show results. An answer to an earlier query is dropped. */
  showResults({ ref, messages, more }) {
    if (ref !== this.#ref) return;
    if (messages.length > 0) this.#oldest = messages[0].seq;
    $("found").append(...messages.toReversed().map((message) => this.#hit(message)));
    $("search-more").hidden = !more;
    const count = $("found").childElementCount;
    this.#showState(count ? SEARCH.count(count, more) : SEARCH.nothing);
  }

  #show(isShown) {
    $("searching").hidden = !isShown;
    $("scroll").hidden = isShown;
    $("search").setAttribute("aria-pressed", String(isShown));
    $(isShown ? "search-words" : "search").focus();
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      $("found").replaceChildren();
      $("search-more").hidden = true;
      this.#search();
    }, PAUSE_MS);
  }

  #search(before) {
    const text = $("search-words").value.trim();
    this.#ref = newId();
    if (!text) return this.#showState("");
    const isSent = this.send({ type: "history.search", ref: this.#ref, text, ...(before && { before_seq: before }) });
    if (!isSent) this.#showState(SEARCH.offline);
  }

  #showState(text) {
    $("search-state").textContent = text;
  }

  #hit(message) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "hit";
    button.dataset.found = message.seq;
    const about = document.createElement("small");
    const at = new Date(message.created_at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    about.textContent = `${message.direction === "in" ? YOU : PENNY}, ${at}`;
    const words = document.createElement("span");
    const [before, hit, after] = snippetAround(message.text, $("search-words").value);
    words.append(before, Object.assign(document.createElement("mark"), { textContent: hit }), after);
    button.append(about, words);
    button.addEventListener("click", () => {
      this.#show(false);
      this.open(message.seq);
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  }
}
