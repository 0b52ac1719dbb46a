// What must survive a reload: messages that no server has acknowledged yet, and what is being written.
const OUTBOX = "penny.outbox";
const DRAFT = "penny.draft";
const ALONG = "penny.draft.along";

// Entries for which the browser had no room, as photos fill it soon: they are sent all the same, and lost with this page.
let unsaved = [];

const read = () => [...saved(), ...unsaved];

function saved() {
  const found = parsed(OUTBOX);
  return Array.isArray(found) ? found : [];
}

function parsed(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Return whether there was room. */
function save(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function write(entries) {
  const before = new Set(saved().map((entry) => entry.turn_id));
  unsaved = save(OUTBOX, JSON.stringify(entries)) ? [] : entries.filter((entry) => !before.has(entry.turn_id));
  if (unsaved.length > 0) save(OUTBOX, JSON.stringify(entries.filter((entry) => before.has(entry.turn_id))));
}

/** Entries are {turn_id, text, parent_id?, thought_id?, refused?}; `refused` is the server's sentence and stops the resending. */
export const outbox = {
  all: read,
  find: (turnId) => read().find((entry) => entry.turn_id === turnId),
  put: (entry) => write([...read().filter((other) => other.turn_id !== entry.turn_id), entry]),
  remove: (turnId) => write(read().filter((entry) => entry.turn_id !== turnId)),
};

export const draft = {
  get: () => localStorage.getItem(DRAFT) ?? "",
  set: (text) => (text ? save(DRAFT, text) : localStorage.removeItem(DRAFT)),
};

/** What goes with the words being typed: {files, quoted}, `quoted` the id of the message that they reply to. */
export const along = {
  get: () => ({ files: [], quoted: "", ...parsed(ALONG) }),
  set(change) {
    const now = { ...along.get(), ...change };
    // Without room it is sent all the same, and lost with this page.
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
