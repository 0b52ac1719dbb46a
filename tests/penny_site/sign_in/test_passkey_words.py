"""What the page says when a browser refuses a passkey: Penny's own words, never the browser's."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parent.parent.parent.parent / "penny_site" / "static" / "penny"
# The little of a page that passkey.js needs. `refuse` is how the browser, the network or Penny answers.
PAGE = """
const line = { hidden: true, textContent: "" };
let click;
const button = { disabled: false, dataset: { next: "/" }, addEventListener: (_, listener) => (click = listener) };
const parts = { "passkey-said": line, "passkey-use": button };
globalThis.document = {
  querySelector: () => ({ value: "token" }), querySelectorAll: () => [],
  getElementById: (id) => parts[id] ?? null, documentElement: { dataset: {} }, body: { dataset: {} },
};
globalThis.PublicKeyCredential = { parseRequestOptionsFromJSON: (options) => options };
const refusal = REFUSAL;
const named = () => Object.assign(new Error("The operation either timed out or was not allowed. See: w3.org"), refusal);
Object.defineProperty(globalThis, "navigator", { value: { credentials: { get: async () => { throw named(); } } } });
globalThis.fetch = async () => {
  if (refusal.name === "TypeError") throw new TypeError("Failed to fetch");
  return { ok: !refusal.says, json: async () => (refusal.says ? { message: refusal.says } : { publicKey: {} }) };
};
await import("./passkey.js");
await click();
console.log(JSON.stringify([line.hidden, line.textContent, button.disabled]));
"""


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        ({"name": "NotAllowedError"}, "Nothing was signed."),
        ({"name": "AbortError"}, "Nothing was signed."),
        ({"name": "InvalidStateError"}, "This device already has a passkey for Penny."),
        ({"name": "SecurityError"}, "Open Penny at an address that begins with https"),
        ({"name": "NotSupportedError"}, "This device cannot make such a passkey."),
        ({"name": "ConstraintError"}, "needs a screen lock or a PIN"),
        ({"name": "UnknownError"}, "The browser could not use a passkey."),
        ({"name": "TypeError"}, "Penny does not answer."),
        ({"says": "That passkey does not sign in here."}, "That passkey does not sign in here."),
    ],
)
def test_a_refused_passkey_is_told_in_pennys_words(tmp_path: Path, refusal: dict[str, str], words: str) -> None:
    for name in ("passkey.js", "base.js"):
        shutil.copy(STATIC / name, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "page.js").write_text(PAGE.replace("REFUSAL", json.dumps(refusal)))
    outcome = subprocess.run(["node", "page.js"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    is_hidden, text, is_disabled = json.loads(outcome.stdout)
    assert words in text
    assert "w3.org" not in text
    assert "fetch" not in text
    assert (is_hidden, is_disabled) == (False, False)
