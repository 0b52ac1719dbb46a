// A session that knows nothing of the owner: in Firefox a container made for one page and removed after it.
import { firefox } from '../firefox'
import { stored } from '../stored'

const CONTAINER = { name: 'Penny', color: 'orange', icon: 'circle' } as const

/** Returns the id of a new container, or null where the browser has none. */
export async function newContainer(): Promise<string | null> {
  if (!import.meta.env.FIREFOX) return null
  try {
    const { cookieStoreId } = await firefox.contextualIdentities.create(CONTAINER)
    await stored.containers.setValue([...(await stored.containers.getValue()), cookieStoreId])
    return cookieStoreId
  } catch (reason) {
    console.info('Penny: no container can be made here, the page opens in your own session', reason)
    return null
  }
}

/** Removes the container with all that the page stored in it. */
export async function removeContainer(cookieStoreId: string): Promise<void> {
  await firefox.contextualIdentities.remove(cookieStoreId).catch((reason: unknown) => {
    console.info('Penny: the container was already gone', reason)
  })
  const others = (await stored.containers.getValue()).filter((id) => id !== cookieStoreId)
  await stored.containers.setValue(others)
}
