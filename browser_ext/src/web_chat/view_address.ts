// What the page shows stands in its address, `?thread=`, so that a reload and the button Back keep it.
import { newId } from '../new_id'
import type { Host } from '../conversation/host'
import { MAIN, type View } from '../state/conversation'

const NEW = 'new'

/** `first`: the view that the server rendered. */
export function viewOfAddress(first: string): Host['view'] {
  return {
    getValue: async () => (first === NEW ? begin() : first),
    setValue: async (view) => {
      if (view !== shownView()) history.pushState(null, '', view === MAIN ? location.pathname : `?thread=${view}`)
    },
  }
}

function begin(): View {
  const view = newId()
  history.replaceState(null, '', `?thread=${view}`)
  return view
}

export function shownView(): View {
  return new URLSearchParams(location.search).get('thread') ?? MAIN
}
