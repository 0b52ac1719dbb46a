// Notifications of this browser: asks for them when the owner presses the button, and hands the subscription to Penny with a plain form.
// Where there can be none it says why, and what to do.
import { BASE } from "./base.js";

const form = document.querySelector("[data-push-key]");
const wrong = form?.querySelector("[role=alert]");
const why = document.getElementById("push-why");

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const words = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function say(text) {
  wrong.textContent = text;
  wrong.hidden = false;
}

/** Return why this browser can show no notifications here, and what to do; nothing where it can. */
function whyNot() {
  if (!window.isSecureContext) return "Browsers show notifications only for pages with TLS, or of their own machine. Open Penny at an address that begins with https, or add another outlet.";
  const isPhoneOfApple = /iPhone|iPad/.test(navigator.userAgent);
  if (!("PushManager" in window) && isPhoneOfApple) return "Here notifications come only to an app: choose Share, then Add to Home Screen, and open Penny from there.";
  if (!("PushManager" in window && "Notification" in window && navigator.serviceWorker)) return "This browser knows no notifications, or none in a private window. Use another browser, or add another outlet.";
  if (Notification.permission === "denied") return "Notifications are blocked for this page. Allow them in the browser, beside the address, and reload the page.";
  return "";
}

// Registered here as well, since `ready` alone would wait for ever for a worker that could not be registered.
async function worker() {
  await navigator.serviceWorker.register(`${BASE}/service_worker.js`);
  return navigator.serviceWorker.ready;
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return say("Notifications are blocked for this page. Allow them in the browser, beside the address.");
  const made = await (await worker()).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.pushKey) });
  form.elements.endpoint.value = made.endpoint;
  for (const name of ["p256dh", "auth"]) form.elements[name].value = words(made.getKey(name));
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "A browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  form.elements.label.value = `${browser}${system ? ` on ${system}` : ""}`;
  form.submit();
}

/** Mark the row of this browser, which then needs no button, and whose removal ends the subscription in the browser too. */
async function knowOurs() {
  const ours = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  if (!ours) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ours.endpoint)));
  const known = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const chip = document.querySelector(`[data-push-browser="${known}"]`);
  if (!chip) return;
  chip.hidden = false;
  form.hidden = true;
  const removing = document.querySelector(`[data-push-remove="${known}"]`);
  removing.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await ours.unsubscribe().catch(() => false)) removing.append(Object.assign(document.createElement("input"), { type: "hidden", name: "unsubscribed", value: "yes" }));
    removing.submit();
  });
}

if (form) {
  const reason = whyNot();
  why.textContent = reason;
  why.hidden = !reason;
  form.hidden = Boolean(reason);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe().catch((error) => say(`This browser takes no notifications: ${error.message}`));
  });
  if (!reason) knowOurs().catch((error) => say(`This browser does not say whether it shows notifications: ${error.message}`));
}
