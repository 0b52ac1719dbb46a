// What must survive a reload: messages that no server has acknowledged yet, and the words being typed.
const OUTBOX = "penny.outbox";
const DRAFT = "penny.draft";

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(OUTBOX) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

const write = (entries) => localStorage.setItem(OUTBOX, JSON.stringify(entries));

/** Entries are {turn_id, text, parent_id?, thought_id?, refused?}; `refused` is the server's sentence and stops the resending. */
export const outbox = {
  all: read,
  find: (turnId) => read().find((entry) => entry.turn_id === turnId),
  put: (entry) => write([...read().filter((other) => other.turn_id !== entry.turn_id), entry]),
  remove: (turnId) => write(read().filter((entry) => entry.turn_id !== turnId)),
};

export const draft = {
  get: () => localStorage.getItem(DRAFT) ?? "",
  set: (text) => (text ? localStorage.setItem(DRAFT, text) : localStorage.removeItem(DRAFT)),
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
