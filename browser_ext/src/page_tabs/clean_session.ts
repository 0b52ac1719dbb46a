// A session that knows nothing of the owner: in Firefox a container made for one page and removed after it.
import { firefox } from '../firefox'
import { setOpenMarks, stored } from '../state/stored'
import { ToolFailure } from './call_context'

const CONTAINER = { name: 'Penny', color: 'orange', icon: 'circle' } as const

/** Returns the id of a new container; null in Chrome, whose tabs are fenced instead. Throws a ToolFailure where Firefox refuses. */
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
    throw new ToolFailure('no_clean_session', 'This Firefox has no container tabs, so no page can be opened without your logins. Turn them on in its settings.')
  }
}

/** Removes the container with all that the page stored in it. */
export async function removeContainer(cookieStoreId: string): Promise<void> {
  await firefox.contextualIdentities.remove(cookieStoreId).catch((reason: unknown) => {
    console.info('Penny: the container was already gone', reason)
  })
  const others = (await stored.containers.getValue()).filter((id) => id !== cookieStoreId)
  await setOpenMarks(stored.containers, others)
}
