// A session without the owner's logins. In Firefox: a container for one page, removed afterwards.
import { firefox } from '../firefox'
import { setOpenMarks, stored } from '../state/stored'
import { ToolFailure } from './call_context'

const CONTAINER = { name: 'Penny', color: 'orange', icon: 'circle' } as const

/**
 * Return the id of a new container, or null in Chrome, which uses redirect rules instead. Throws ToolFailure if Firefox
 * refuses.
 */
export async function newContainer(): Promise<string | null> {
  if (!import.meta.env.FIREFOX) return null
  const cookieStoreId = await createContainer()
  await stored.containers.setValue([...(await stored.containers.getValue()), cookieStoreId])
  return cookieStoreId
}

async function createContainer(): Promise<string> {
  try {
    return (await firefox.contextualIdentities.create(CONTAINER)).cookieStoreId
  } catch (reason) {
    console.info('Penny: no container can be made here', reason)
    throw new ToolFailure(
      'no_clean_session',
      'This Firefox has no container tabs, so no page can be opened without your logins. Turn them on in its settings.',
    )
  }
}

/** Remove the container with everything that the page stored in it. */
export async function removeContainer(cookieStoreId: string): Promise<void> {
  await firefox.contextualIdentities.remove(cookieStoreId).catch((reason: unknown) => {
    console.info('Penny: the container was already gone', reason)
  })
  const others = (await stored.containers.getValue()).filter((id) => id !== cookieStoreId)
  await setOpenMarks(stored.containers, others)
}
