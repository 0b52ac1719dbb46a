// Commands are completed where the owner writes: a slash lists them, arrows choose, Enter or Tab completes, Escape closes. The server knows
// which there are.
const NAME = /^\/([a-z]*)$/i;
const MOVES = { ArrowDown: 1, ArrowUp: -1 };

export class Completing {
  #field;
  #list;
  #find;
  #found = [];
  #at = 0;
  #asked = 0;

  /** `find` resolves with the commands whose names go on from a beginning: [{name, usage, does}]. */
  constructor({ field, list, find }) {
    this.#field = field;
    this.#list = list;
    this.#find = find;
    field.addEventListener("input", () => void this.#look());
    field.addEventListener("blur", () => this.#close());
    field.addEventListener("keydown", (event) => this.#press(event), { capture: true }); // before what sends the message
    list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    list.addEventListener("click", ({ target }) => this.#complete(this.#found[[...list.children].indexOf(target.closest("[role=option]"))]));
    this.#close();
  }

  async #look() {
    const begun = this.#begun();
    if (begun === undefined) return this.#close();
    this.#narrow(begun);
    const asked = ++this.#asked;
    const found = await this.#find(begun);
    if (asked === this.#asked) this.#show(found); // else this is late
  }

  /** Keep of what is listed what still fits, until the answer is there: who writes fast must not get another command. */
  #narrow(begun) {
    if (this.#found.length > 0) this.#show(this.#found.filter(({ name }) => name.startsWith(begun)));
  }

  /** Return what is written of a command's name, undefined where no name is being written. */
  #begun() {
    return NAME.exec(this.#field.value)?.[1].toLowerCase();
  }

  #show(found) {
    if (found.length === 0) return this.#close();
    this.#found = found;
    this.#list.replaceChildren(...found.map((command) => this.#option(command)));
    this.#list.hidden = false;
    const told = { role: "combobox", "aria-autocomplete": "list", "aria-controls": this.#list.id, "aria-expanded": "true" };
    for (const [name, value] of Object.entries(told)) this.#field.setAttribute(name, value);
    this.#choose(0);
  }

  #close() {
    this.#asked += 1;
    this.#found = [];
    this.#list.hidden = true;
    this.#list.replaceChildren();
    for (const name of ["role", "aria-autocomplete", "aria-controls", "aria-expanded", "aria-activedescendant"]) this.#field.removeAttribute(name);
  }

  #option({ name, usage, does }) {
    const option = document.createElement("li");
    option.id = `${this.#list.id}-${name}`;
    option.setAttribute("role", "option");
    const parts = { b: `/${name}`, span: usage, small: does };
    option.append(...Object.entries(parts).flatMap(([tag, text]) => [Object.assign(document.createElement(tag), { textContent: text }), " "]));
    return option;
  }

  #choose(at) {
    this.#at = (at + this.#found.length) % this.#found.length;
    for (const [place, option] of [...this.#list.children].entries()) option.setAttribute("aria-selected", String(place === this.#at));
    const chosen = this.#list.children[this.#at];
    this.#field.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView?.({ block: "nearest" });
  }

  #press(event) {
    if (this.#found.length === 0 || event.isComposing || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.#obeys(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Do what a key means to the list; false where that is nothing. Enter sends a name that is whole. */
  #obeys(key) {
    const chosen = this.#found[this.#at];
    if (key in MOVES) this.#choose(this.#at + MOVES[key]);
    else if (key === "Escape") this.#close();
    else if (key === "Tab" || (key === "Enter" && chosen.name !== this.#begun())) this.#complete(chosen);
    else return false;
    return true;
  }

  #complete(command) {
    if (!command) return;
    this.#field.value = `/${command.name} `;
    this.#field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
