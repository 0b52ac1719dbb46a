/** Firefox asks for the kind of data too that leaves the browser, were it only for a server on the same machine. */
const DATA = import.meta.env.FIREFOX ? { data_collection: ['browsingActivity'] } : {}

/** What the browser asks the owner for when they switch sharing on, and takes back when they switch it off. */
export const PERMISSION: { permissions: ['history'] } = { permissions: ['history'], ...DATA }

/** Whether a part of it is among what the browser says was taken back. */
export function isOfIt({ permissions, data_collection }: { permissions?: string[]; data_collection?: string[] }): boolean {
  return (permissions?.includes('history') || data_collection?.includes('browsingActivity')) ?? false
}
