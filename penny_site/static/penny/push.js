// Notifications of this browser. The button asks for permission and posts the subscription to Penny in a plain form.
// If the browser cannot show notifications, the page says why and what to do.
import { BASE } from "./base.js";

const form = document.querySelector("[data-push-key]");
const failureLine = form?.querySelector("[role=alert]");
const reasonLine = document.getElementById("push-why");

const fromBase64Url = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const toBase64Url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function showFailure(text) {
  failureLine.textContent = text;
  failureLine.hidden = false;
}

/** Return why this browser cannot show notifications here, and what to do. Empty: it can. */
function unsupportedReason() {
  if (!window.isSecureContext) return "Browsers show notifications only for pages with TLS, or of their own machine. Open Penny at an address that begins with https, or add another outlet.";
  const isPhoneOfApple = /iPhone|iPad/.test(navigator.userAgent);
  if (!("PushManager" in window) && isPhoneOfApple) return "Here notifications come only to an app: choose Share, then Add to Home Screen, and open Penny from there.";
  if (!("PushManager" in window && "Notification" in window && navigator.serviceWorker)) return "This browser knows no notifications, or none in a private window. Use another browser, or add another outlet.";
  if (Notification.permission === "denied") return "Notifications are blocked for this page. Allow them in the browser, beside the address, and reload the page.";
  return "";
}

// What browsers call their refusals. Their own messages are for programmers.
const REFUSALS = {
  NotAllowedError: "Notifications are blocked for this page. Allow them in the browser, beside the address, and try again.",
  AbortError: "This browser does not reach its push service. Look whether it may use one, reload the page, and try again.",
  InvalidStateError: "This browser still has an older address for notifications. Remove it in the browser's settings of this page, and try again.",
  SecurityError: "Browsers show notifications only for pages with TLS, or of their own machine.",
};
const wordsFor = (error) => REFUSALS[error?.name] ?? "This browser takes no notifications now. Reload the page and try again, or add another outlet.";

// Register here too: `ready` alone would wait for ever for a worker that failed to register.
async function registerWorker() {
  await navigator.serviceWorker.register(`${BASE}/service_worker.js`);
  return navigator.serviceWorker.ready;
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return showFailure("Notifications are blocked for this page. Allow them in the browser, beside the address.");
  const subscription = await (await registerWorker()).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: fromBase64Url(form.dataset.pushKey) });
  form.elements.endpoint.value = subscription.endpoint;
  for (const name of ["p256dh", "auth"]) form.elements[name].value = toBase64Url(subscription.getKey(name));
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "A browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  form.elements.label.value = `${browser}${system ? ` on ${system}` : ""}`;
  form.submit();
}

/** Mark the row of this browser and hide the button. Removing the row also ends the subscription in the browser. */
async function markThisBrowser() {
  const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  if (!subscription) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)));
  const digestHex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const chip = document.querySelector(`[data-push-browser="${digestHex}"]`);
  if (!chip) return;
  chip.hidden = false;
  form.hidden = true;
  const removalForm = document.querySelector(`[data-push-remove="${digestHex}"]`);
  removalForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await subscription.unsubscribe().catch(() => false)) removalForm.append(Object.assign(document.createElement("input"), { type: "hidden", name: "unsubscribed", value: "yes" }));
    removalForm.submit();
  });
}

if (form) {
  const reason = unsupportedReason();
  reasonLine.textContent = reason;
  reasonLine.hidden = !reason;
  form.hidden = Boolean(reason);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe().catch((error) => showFailure(wordsFor(error)));
  });
  if (!reason) markThisBrowser().catch(() => showFailure("This browser does not say whether it shows notifications. Reload the page."));
}
