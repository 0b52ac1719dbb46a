// Notifications of this browser: asks for them when the owner presses the button, and hands the subscription to Penny with a plain form.
const form = document.querySelector("[data-push-key]");
const wrong = form?.querySelector("[role=alert]");

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const words = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function say(text) {
  wrong.textContent = text;
  wrong.hidden = false;
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return say("Notifications are blocked for this page. Allow them in the browser, beside the address.");
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.pushKey) });
  form.elements.endpoint.value = made.endpoint;
  for (const name of ["p256dh", "auth"]) form.elements[name].value = words(made.getKey(name));
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "A browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  form.elements.label.value = `${browser}${system ? ` on ${system}` : ""}`;
  form.submit();
}

// Browsers know push on pages of this machine and on those with TLS.
if (form && "PushManager" in window && "Notification" in window && window.isSecureContext) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe().catch((error) => say(`This browser takes no notifications: ${error.message}`));
  });
}
