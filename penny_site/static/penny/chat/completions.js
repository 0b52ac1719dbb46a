// Completion of commands in the composer: a slash lists them, arrows choose, Enter or Tab completes, Escape closes.
// The server knows the commands.
const NAME = /^\/([a-z]*)$/i;
const MOVES = { ArrowDown: 1, ArrowUp: -1 };

export class CommandCompletion {
  #field;
  #list;
  #find;
  #commands = [];
  #at = 0;
  #requests = 0;

  /** `find` resolves with the commands whose names begin with a prefix: [{name, usage, does}]. */
  constructor({ field, list, find }) {
    this.#field = field;
    this.#list = list;
    this.#find = find;
    field.addEventListener("input", () => void this.#refresh());
    field.addEventListener("blur", () => this.#close());
    field.addEventListener("keydown", (event) => this.#press(event), { capture: true }); // before the handler that sends the message
    list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    list.addEventListener("click", ({ target }) => this.#complete(this.#commands[[...list.children].indexOf(target.closest("[role=option]"))]));
    this.#close();
  }

  async #refresh() {
    const prefix = this.#prefix();
    if (prefix === undefined) return this.#close();
    this.#narrow(prefix);
    const request = ++this.#requests;
    const commands = await this.#find(prefix);
    if (request === this.#requests) this.#show(commands); // otherwise a newer request is under way
  }

  /** Narrow the list at once, before the answer comes: Enter must not complete a command that no longer fits. */
  #narrow(prefix) {
    if (this.#commands.length > 0) this.#show(this.#commands.filter(({ name }) => name.startsWith(prefix)));
  }

  /** Return the beginning of a command's name in the field, or undefined. */
  #prefix() {
    return NAME.exec(this.#field.value)?.[1].toLowerCase();
  }

  #show(commands) {
    if (commands.length === 0) return this.#close();
    this.#commands = commands;
    this.#list.replaceChildren(...commands.map((command) => this.#option(command)));
    this.#list.hidden = false;
    const aria = { role: "combobox", "aria-autocomplete": "list", "aria-controls": this.#list.id, "aria-expanded": "true" };
    for (const [name, value] of Object.entries(aria)) this.#field.setAttribute(name, value);
    this.#choose(0);
  }

  #close() {
    this.#requests += 1;
    this.#commands = [];
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
    this.#at = (at + this.#commands.length) % this.#commands.length;
    for (const [place, option] of [...this.#list.children].entries()) option.setAttribute("aria-selected", String(place === this.#at));
    const option = this.#list.children[this.#at];
    this.#field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView?.({ block: "nearest" });
  }

  #press(event) {
    if (this.#commands.length === 0 || event.isComposing || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.#obeys(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Handle a key for the list; return false for a key that means nothing to it. Enter sends a complete name. */
  #obeys(key) {
    const command = this.#commands[this.#at];
    if (key in MOVES) this.#choose(this.#at + MOVES[key]);
    else if (key === "Escape") this.#close();
    else if (key === "Tab" || (key === "Enter" && command.name !== this.#prefix())) this.#complete(command);
    else return false;
    return true;
  }

  #complete(command) {
    if (!command) return;
    this.#field.value = `/${command.name} `;
    this.#field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
