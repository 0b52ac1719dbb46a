/** What the browser asks the owner for when they switch sharing on, and takes back when they switch it off. */
export const PERMISSION = { permissions: ['history'] } satisfies { permissions: ['history'] }
