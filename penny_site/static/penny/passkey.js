// Passkeys: the browser asks the owner, signs Penny's challenge, and the page posts the result.
// Without support the buttons stay hidden.
import { BASE } from "./base.js";

const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
const post = (path, body = {}) =>
  fetch(BASE + path, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": token() }, body: JSON.stringify(body) });

async function runCeremony(button, ask) {
  const line = document.getElementById("passkey-said");
  line.hidden = true;
  button.disabled = true;
  try {
    await ask();
  } catch (error) {
    line.textContent = error.name === "NotAllowedError" ? "Nothing was signed. Try again when you are ready." : error.message;
    line.hidden = false;
  } finally {
    button.disabled = false;
  }
}

async function parseAnswer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.message ?? "That did not work. Reload the page and try again.");
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
