// The files of the next message: picked, dropped or pasted, listed, and removed again.
import { isPicture, NotAttached, toBase64, withFiles } from "./attachments.js";
import { FILES } from "./texts.js";

const $ = (id) => document.getElementById(id);
let files = [];
let onFilesChange = () => {};
let tellError = () => {};

/** Return the files as they are sent. */
export const attachments = () => files;

export const detachAll = () => setFiles([]);

function setFiles(next) {
  files = next;
  onFilesChange(files);
  draw();
}

/** Attach files to the next message. */
export async function attach(more) {
  if (more.length === 0) return;
  try {
    setFiles(await withFiles(files, more));
    tellError("");
  } catch (failure) {
    if (!(failure instanceof NotAttached)) throw failure;
    tellError(FILES[failure.code](failure.file));
  }
}

/** Listen for files. `existing`: those of a draft; `showError` gets a sentence, or ""; `onChange` gets the files after each change. */
export function watchFilePicker(existing, showError, onChange) {
  files = existing;
  draw();
  onFilesChange = onChange;
  tellError = showError;
  $("attach").addEventListener("click", () => $("attach-files").click());
  $("attach-files").addEventListener("change", () => {
    const newFiles = [...$("attach-files").files];
    $("attach-files").value = "";
    void attach(newFiles);
  });
  $("words").addEventListener("paste", (event) => {
    const pastedFiles = [...(event.clipboardData?.files ?? [])];
    if (pastedFiles.length === 0) return;
    event.preventDefault();
    void attach(pastedFiles);
  });
  $("composer").addEventListener("dragover", (event) => event.preventDefault());
  $("composer").addEventListener("drop", (event) => {
    event.preventDefault();
    void attach([...(event.dataTransfer?.files ?? [])]);
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
    setFiles(files.filter((_, other) => other !== place));
    $("words").focus();
  });
  item.append(...(isPicture(file) ? [picture(file)] : []), nameElement(name), button);
  return item;
}

function nameElement(name) {
  return Object.assign(document.createElement("span"), { className: "name", textContent: name });
}

/** Return the elements that show the files of a message: pictures themselves, other files by name. */
export function fileElements(files) {
  return (files ?? []).map((file) => (file.image ? pictureLink(file.name, file.image) : file.data && isPicture(file) ? picture(file) : chip(file.name)));
}

function chip(name) {
  return Object.assign(document.createElement("span"), { className: "chip", textContent: name });
}

function pictureLink(name, address) {
  const link = Object.assign(document.createElement("a"), { className: "pictured", href: address, target: "_blank", rel: "noopener" });
  link.append(Object.assign(document.createElement("img"), { alt: name, src: address, loading: "lazy" }));
  return withFallback(link);
}

/** Show the name while Penny has no picture: she encodes it when she answers. */
function withFallback(link) {
  const image = link.firstElementChild;
  image.addEventListener("error", () => {
    const name = chip(image.alt);
    name.dataset.image = link.href;
    link.replaceWith(name);
  });
  return link;
}

/** Load the pictures of a message that were missing. */
export function retryPictures(message) {
  for (const name of message?.querySelectorAll("[data-image]") ?? []) name.replaceWith(pictureLink(name.textContent, name.dataset.image));
}

/** Handle missing pictures of a message that came with the page. */
export function watchPictures(message) {
  for (const link of message.querySelectorAll("a.pictured")) {
    withFallback(link);
    const [image] = link.children;
    if (image.complete && image.currentSrc && !image.naturalWidth) image.dispatchEvent(new Event("error"));
  }
}

/** Draw on a canvas: the page may embed only what Penny serves. */
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
