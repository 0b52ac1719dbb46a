// Texts of the web chat that no template holds.
export const DRESSING = { copyCode: "Copy", copied: "Copied", notCopied: "Not copied" };
export const ACTS = {
  group: "This message",
  copy: "Copy the text",
  copied: "Copied",
  notCopied: "The browser did not let it be copied",
  quote: "Reply to this",
  edit: "Edit and send again",
};
export const NOT_CONNECTED = "Penny is not connected at the moment. Press it again when she is.";
export const YOU = "You";
export const PENNY = "Penny";
export const steps = (count) => `${count} steps so far`;
export const SEARCH = {
  nothing: "No message holds these words.",
  offline: "Penny is not connected. Try again when she is.",
  count: (count, more) => `${count}${more ? " or more" : ""} found`,
};
export const FILES = {
  attach_kind: (name) => `${name} is neither text nor a picture. The words of a PDF can be copied into the box.`,
  attach_large: (name) => `${name} is too large: what goes along may have 350 kB in all.`,
  attach_many: (name) => `${name} is one too many: eight files go along.`,
  question: "What is this?",
  detach: (name) => `Leave out ${name}`,
};
