// The path below which every address of Penny's stands: empty, unless she shares her host with something else.
export const BASE = document.documentElement.dataset.base ?? "";
