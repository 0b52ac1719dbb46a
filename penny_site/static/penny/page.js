// Every page: shows failed requests, copies and shares texts, counts times down, reports use, registers the service worker.
import { BASE } from "./base.js";
import "./keys.js";
import { listenForCounts } from "./live_counts.js";

const SENTENCES = {
  403: "That was refused, because this page is too old. Reload it and try again.",
  404: "That is no longer here. Reload the page.",
};

/** Show what went wrong with a request in the line for errors; hide the line if the text is empty. */
function showError(text) {
  const line = document.getElementById("trouble");
  line.textContent = text;
  line.hidden = !text;
}

document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  showError(SENTENCES[status] ?? "Penny made a mistake and wrote it to the log. Try again.");
});
document.addEventListener("htmx:sendError", () => showError("Penny does not answer. Check that it is running, then try again."));
document.addEventListener("htmx:timeout", () => showError("Penny takes too long to answer. Try again in a moment."));
// Loaded with the first refresh: most pages have none.
document.addEventListener("htmx:beforeRequest", ({ detail }) => detail.elt.matches('[hx-trigger*="every"]') && import("./keep_focus.js"));
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) showError("");
});

// Browsers copy and share only over TLS and on loopback. Elsewhere the owner can select a text to share and copy it.
function showCopyButtons(root) {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  for (const button of root.querySelectorAll("[data-share]")) button.hidden = false;
}
showCopyButtons(document);
document.addEventListener("htmx:load", (event) => showCopyButtons(event.detail.elt));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (button?.dataset.copy) copy(button, button.dataset.copy);
  else if (button) share(button, button.dataset.share);
});

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  button.dataset.words ??= button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = button.dataset.words), 2000);
}

async function share(button, text) {
  const shareable = { title: button.dataset.title, text };
  if (!navigator.canShare?.(shareable)) return navigator.clipboard ? copy(button, text) : selectText(button, text);
  try {
    await navigator.share(shareable);
  } catch (error) {
    if (error.name !== "AbortError") await copy(button, text); // the device cannot share this text
  }
}

function selectText(button, text) {
  const field = Object.assign(document.createElement("textarea"), { className: "field", readOnly: true, rows: 8, value: text, ariaLabel: "The text to copy" });
  button.replaceWith(field);
  field.select();
}

// A picture that does not load gets a description.
function describeMissing(picture) {
  const words = document.getElementById(picture.dataset?.else);
  if (words) words.hidden = !(picture.hidden = true);
}
document.addEventListener("error", ({ target }) => describeMissing(target), true);
for (const picture of document.querySelectorAll("img[data-else]")) if (picture.complete && picture.currentSrc && !picture.naturalWidth) describeMissing(picture);

if (document.querySelector(".top[data-live]")) listenForCounts();

// An example fills the field of its form.
document.addEventListener("click", ({ target }) => {
  const example = target.closest("[data-example]");
  if (!example) return;
  example.form.elements.text.value = example.textContent;
  example.form.elements.text.focus();
});

// Menus close on a click elsewhere and on Escape.
document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll(":is(.pop, .more-places)[open]")) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest(":is(.pop, .more-places)[open]");
  if (!menu) return;
  event.preventDefault(); // the dialog around the menu stays
  menu.open = false;
  menu.querySelector("summary").focus();
});

// A tab of a long row may lie outside of it.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

function countDown() {
  for (const time of document.querySelectorAll("time[data-until]")) {
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now()) / 1000));
    time.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "0:00";
  }
}
setInterval(countDown, 1000);
document.addEventListener("htmx:afterSettle", countDown);
countDown();

// Penny notifies the browser that the owner used last. Each browser reports its use, at most once a minute.
async function reportUse() {
  const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!csrfmiddlewaretoken || document.visibilityState !== "visible" || Date.now() - sessionStorage.getItem("used") < 60_000) return;
  const subscription = await (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription();
  if (!subscription) return;
  sessionStorage.setItem("used", Date.now());
  await fetch(`${BASE}/setup/push/used/`, { method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken, endpoint: subscription.endpoint }) });
}
const reportUseSafely = () => reportUse().catch((error) => console.warn("Penny does not know that this browser is used:", error));
document.addEventListener("visibilitychange", reportUseSafely);
reportUseSafely();

// The service worker makes Penny an app that can be installed, with an offline page. Browsers require TLS or loopback for it.
navigator.serviceWorker?.register(`${BASE}/service_worker.js`).catch((error) => console.warn("Penny cannot be installed as an app here:", error));
