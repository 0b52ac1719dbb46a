// The files that go with the next message: chosen, dropped or pasted, shown, and left out again.
import { isPicture, NotAttached, toBase64, withFiles } from "./attaching.js";
import { FILES } from "./words.js";

const $ = (id) => document.getElementById(id);
let files = [];
let changed = () => {};

/** The files as they are sent. */
export const attached = () => files;

export const detachAll = () => keep([]);

function keep(these) {
  files = these;
  changed(files);
  draw();
}

/** `before`: those of a draft; `tell` says what went wrong, nothing for what did not; `onChange` hears of the files whenever they change. */
export function takeFiles(before, tell, onChange) {
  files = before;
  draw();
  changed = onChange;
  const add = async (more) => {
    if (more.length === 0) return;
    try {
      keep(await withFiles(files, more));
      tell("");
    } catch (failure) {
      if (!(failure instanceof NotAttached)) throw failure;
      tell(FILES[failure.code](failure.file));
    }
  };
  $("attach").addEventListener("click", () => $("attach-files").click());
  $("attach-files").addEventListener("change", () => {
    const chosen = [...$("attach-files").files];
    $("attach-files").value = "";
    void add(chosen);
  });
  $("words").addEventListener("paste", (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    void add(pasted);
  });
  $("composer").addEventListener("dragover", (event) => event.preventDefault());
  $("composer").addEventListener("drop", (event) => {
    event.preventDefault();
    void add([...(event.dataTransfer?.files ?? [])]);
  });
}

function draw() {
  $("files").hidden = files.length === 0;
  $("files").replaceChildren(...files.map(entry));
}

function entry(file, place) {
  const { name } = file;
  const item = document.createElement("li");
  item.className = "chip";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet";
  button.textContent = "×";
  button.setAttribute("aria-label", FILES.detach(name));
  button.addEventListener("click", () => {
    keep(files.filter((_, other) => other !== place));
    $("words").focus();
  });
  item.append(...(isPicture(file) ? [picture(file)] : []), named(name), button);
  return item;
}

function named(name) {
  return Object.assign(document.createElement("span"), { className: "name", textContent: name });
}

/** What a message shows of the files that came with it: of pictures themselves, those that wait to be sent drawn here. */
export function shownFiles(files) {
  return (files ?? []).map((file) => (file.image ? linked(file.name, file.image) : file.data && isPicture(file) ? picture(file) : chip(file.name)));
}

function chip(name) {
  return Object.assign(document.createElement("span"), { className: "chip", textContent: name });
}

function linked(name, address) {
  const link = Object.assign(document.createElement("a"), { className: "pictured", href: address, target: "_blank", rel: "noopener" });
  link.append(Object.assign(document.createElement("img"), { alt: name, src: address, loading: "lazy" }));
  return withFallback(link);
}

/** By its name, where Penny has no picture to show: she encodes it when she answers. */
function withFallback(link) {
  const image = link.firstElementChild;
  image.addEventListener("error", () => {
    const name = chip(image.alt);
    name.dataset.image = link.href;
    link.replaceWith(name);
  });
  return link;
}

/** Look again for the pictures of a message that were not there yet. */
export function lookAgain(message) {
  for (const name of message?.querySelectorAll("[data-image]") ?? []) name.replaceWith(linked(name.textContent, name.dataset.image));
}

/** Those that came with the page. */
export function watchPictures(message) {
  for (const link of message.querySelectorAll("a.pictured")) {
    withFallback(link);
    const [image] = link.children;
    if (image.complete && image.currentSrc && !image.naturalWidth) image.dispatchEvent(new Event("error"));
  }
}

/** On a canvas: the page may embed what Penny serves and nothing else. */
function picture(file) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", file.name);
  const holder = Object.assign(document.createElement("span"), { className: "pictured" });
  holder.append(canvas);
  void paint(file, canvas).catch(() => holder.replaceWith(chip(file.name)));
  return holder;
}

async function paint(file, canvas) {
  const bytes = Uint8Array.from(atob(toBase64(file)), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: file.mime }));
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  image.close();
}
