// Every page: says when a request fails, copies what can be copied, and keeps times that count down.
import { BASE } from "./base.js";
import { trouble } from "./trouble.js";

const SENTENCES = {
  403: "That was refused, because this page is too old. Reload it and try again.",
  404: "That is no longer here. Reload the page.",
};

document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  trouble(SENTENCES[status] ?? "Penny made a mistake and wrote it to the log. Try again.");
});
document.addEventListener("htmx:sendError", () => trouble("Penny does not answer. Check that it is running, then try again."));
document.addEventListener("htmx:timeout", () => trouble("Penny takes too long to answer. Try again in a moment."));
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) trouble("");
});

// Browsers copy and share on TLS and loopback only. What can be shared can be marked there, and copied by hand.
function offer(root) {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  for (const button of root.querySelectorAll("[data-share]")) button.hidden = false;
}
offer(document);
document.addEventListener("htmx:load", (event) => offer(event.detail.elt));
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
  const shared = { title: button.dataset.title, text };
  if (!navigator.canShare?.(shared)) return navigator.clipboard ? copy(button, text) : mark(button, text);
  try {
    await navigator.share(shared);
  } catch (error) {
    if (error.name !== "AbortError") await copy(button, text); // what the device offers cannot take it
  }
}

function mark(button, text) {
  const field = Object.assign(document.createElement("textarea"), { className: "field", readOnly: true, rows: 8, value: text, ariaLabel: "The text to copy" });
  button.replaceWith(field);
  field.select();
}

// A picture that could not be had is told of in words.
function tellMissing(picture) {
  const words = document.getElementById(picture.dataset?.else);
  if (words) words.hidden = !(picture.hidden = true);
}
document.addEventListener("error", ({ target }) => tellMissing(target), true);
for (const picture of document.querySelectorAll("img[data-else]")) if (picture.complete && picture.currentSrc && !picture.naturalWidth) tellMissing(picture);

// On a narrow page the navigation is one line that scrolls: it begins where the owner is.
function showWhereWeAre() {
  const nav = document.querySelector(".top nav");
  const current = nav?.querySelector("[aria-current]");
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}
addEventListener("resize", showWhereWeAre);
showWhereWeAre();

function countDown() {
  for (const time of document.querySelectorAll("time[data-until]")) {
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now()) / 1000));
    time.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "0:00";
  }
}
setInterval(countDown, 1000);
document.addEventListener("htmx:afterSettle", countDown);
countDown();

// Of several browsers that show notifications Penny tells the one at which her owner was last: each says so itself, once a minute at most.
async function sayUsed() {
  const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!csrfmiddlewaretoken || document.visibilityState !== "visible" || Date.now() - sessionStorage.getItem("used") < 60_000) return;
  const ours = await (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription();
  if (!ours) return;
  sessionStorage.setItem("used", Date.now());
  await fetch(`${BASE}/setup/push/used/`, { method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken, endpoint: ours.endpoint }) });
}
const saySoonUsed = () => sayUsed().catch((error) => console.warn("Penny does not know that this browser is used:", error));
document.addEventListener("visibilitychange", saySoonUsed);
saySoonUsed();

// Makes Penny an app that can be installed, with a page of its own for when there is no connection. Browsers want TLS or loopback for it.
navigator.serviceWorker?.register(`${BASE}/service_worker.js`).catch((error) => console.warn("Penny cannot be installed as an app here:", error));
