// What survives a reload: messages that the server has not acknowledged, and the draft.
const OUTBOX = "penny.outbox";
const DRAFT = "penny.draft";
const ALONG = "penny.draft.along";

// Entries for which the browser had no room, as photos fill it soon. They are sent too, but a reload loses them.
let unsavedEntries = [];

const allEntries = () => [...savedEntries(), ...unsavedEntries];

function savedEntries() {
  const entries = parseItem(OUTBOX);
  return Array.isArray(entries) ? entries : [];
}

function parseItem(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Save an item; return whether there was room. */
function save(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function write(entries) {
  const before = new Set(savedEntries().map((entry) => entry.turn_id));
  unsavedEntries = save(OUTBOX, JSON.stringify(entries)) ? [] : entries.filter((entry) => !before.has(entry.turn_id));
  if (unsavedEntries.length > 0) save(OUTBOX, JSON.stringify(entries.filter((entry) => before.has(entry.turn_id))));
}

/** Entries are {turn_id, text, parent_id?, thought_id?, refused?}; `refused` is the server's sentence and stops the resending. */
export const outbox = {
  all: allEntries,
  find: (turnId) => allEntries().find((entry) => entry.turn_id === turnId),
  put: (entry) => write([...allEntries().filter((other) => other.turn_id !== entry.turn_id), entry]),
  remove: (turnId) => write(allEntries().filter((entry) => entry.turn_id !== turnId)),
};

export const draft = {
  get: () => localStorage.getItem(DRAFT) ?? "",
  set: (text) => (text ? save(DRAFT, text) : localStorage.removeItem(DRAFT)),
};

/** What belongs to the draft: {files, quoted}; `quoted` is the id of the message that the draft replies to. */
export const draftExtras = {
  get: () => ({ files: [], quoted: "", ...parseItem(ALONG) }),
  set(change) {
    const now = { ...draftExtras.get(), ...change };
    // Without room a reload loses it.
    if (!(now.files.length || now.quoted) || !save(ALONG, JSON.stringify(now))) localStorage.removeItem(ALONG);
  },
};

/** crypto.randomUUID is missing on plain http off loopback. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
