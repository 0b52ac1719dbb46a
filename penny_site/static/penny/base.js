// The path that every address of Penny begins with. It is empty unless Penny shares her host with another program.
export const BASE = document.documentElement.dataset.base ?? ''
