// Passkeys: the browser asks its owner, signs what Penny asked, and the answer goes back. Without support the buttons stay hidden.
import { BASE } from "./base.js";

const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
const post = (path, body = {}) =>
  fetch(BASE + path, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": token() }, body: JSON.stringify(body) });

async function answered(button, ask) {
  const said = document.getElementById("passkey-said");
  said.hidden = true;
  button.disabled = true;
  try {
    await ask();
  } catch (error) {
    said.textContent = error.name === "NotAllowedError" ? "Nothing was signed. Try again when you are ready." : error.message;
    said.hidden = false;
  } finally {
    button.disabled = false;
  }
}

async function told(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.message ?? "That did not work. Reload the page and try again.");
  return body;
}

const adding = async () => {
  const { publicKey } = await told(await post("/passkeys/begin/"));
  const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  await told(await post("/passkeys/", { credential: credential.toJSON(), name: document.getElementById("passkey-name").value }));
  location.reload();
};

const signingIn = async (next) => {
  const { publicKey } = await told(await post("/sign-in/passkey/begin/"));
  const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  location.assign((await told(await post("/sign-in/passkey/", { credential: credential.toJSON(), next }))).next);
};

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const part of document.querySelectorAll(".passkey")) part.hidden = false;
  const add = document.getElementById("passkey-add");
  add?.addEventListener("click", () => answered(add, adding));
  const use = document.getElementById("passkey-use");
  use?.addEventListener("click", () => answered(use, () => signingIn(use.dataset.next)));
}
