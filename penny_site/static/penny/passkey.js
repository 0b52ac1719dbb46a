// Passkeys: the browser asks the owner, signs Penny's challenge, and the page posts the result.
// Without support the buttons stay hidden.
import { BASE } from "./base.js";

const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
const post = (path, body = {}) =>
  fetch(BASE + path, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": token() }, body: JSON.stringify(body) });

/** Words of Penny's own, which the owner may see. */
class Told extends Error {}

// What browsers call their refusals. Their own messages are in English, for programmers, and differ.
const REFUSALS = {
  NotAllowedError: "Nothing was signed. Try again when you are ready.",
  AbortError: "Nothing was signed. Try again when you are ready.",
  TimeoutError: "That took too long. Try again when you are ready.",
  InvalidStateError: "This device already has a passkey for Penny. Sign in with it, or choose another device.",
  SecurityError: "Passkeys do not work at this address. Open Penny at an address that begins with https, or at localhost.",
  NotSupportedError: "This device cannot make such a passkey. Choose another device, or a security key.",
  ConstraintError: "This device needs a screen lock or a PIN for passkeys. Set one up, then try again.",
  TypeError: "Penny does not answer. Check that she runs, then try again.",
};
const wordsFor = (error) =>
  error instanceof Told ? error.message : (REFUSALS[error?.name] ?? "The browser could not use a passkey. Try again, or sign in another way.");

async function runCeremony(button, ask) {
  const line = document.getElementById("passkey-said");
  line.hidden = true;
  button.disabled = true;
  try {
    await ask();
  } catch (error) {
    line.textContent = wordsFor(error);
    line.hidden = false;
  } finally {
    button.disabled = false;
  }
}

async function parseAnswer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Told(body.message ?? "That did not work. Reload the page and try again.");
  return body;
}

const addPasskey = async () => {
  const { publicKey } = await parseAnswer(await post("/passkeys/begin/"));
  const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  await parseAnswer(await post("/passkeys/", { credential: credential.toJSON(), name: document.getElementById("passkey-name").value }));
  location.reload();
};

const signIn = async (next) => {
  const { publicKey } = await parseAnswer(await post("/sign-in/passkey/begin/"));
  const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  location.assign((await parseAnswer(await post("/sign-in/passkey/", { credential: credential.toJSON(), next }))).next);
};

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const part of document.querySelectorAll(".passkey")) part.hidden = false;
  const add = document.getElementById("passkey-add");
  add?.addEventListener("click", () => runCeremony(add, addPasskey));
  const use = document.getElementById("passkey-use");
  use?.addEventListener("click", () => runCeremony(use, () => signIn(use.dataset.next)));
}
