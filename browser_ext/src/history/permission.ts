/** Firefox asks for the kind of data too, even if the server runs on the same machine. */
const DATA = import.meta.env.FIREFOX ? { data_collection: ['browsingActivity'] } : {}

/** Requested when the owner switches sharing on, removed when they switch it off. */
export const PERMISSION: { permissions: ['history'] } = { permissions: ['history'], ...DATA }

export function isOfIt({
  permissions,
  data_collection,
}: {
  permissions?: string[]
  data_collection?: string[]
}): boolean {
  return (permissions?.includes('history') || data_collection?.includes('browsingActivity')) ?? false
}
