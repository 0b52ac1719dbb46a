// The sidebar as the host of the conversation: the background answers, and the browser's storage holds the drafts.
import { readEarly } from '../own_pages/early_port'
import { listenToBackground, sendCommand } from '../own_pages/background_link'
import type { Host, Item } from '../conversation/host'
import { stored } from '../state/stored'

export const panelHost: Host = {
  listen: listenToBackground,
  send: sendCommand,
  drafts: {
    text: whilePaired(stored.draft),
    aside: whilePaired(stored.draftAside),
    files: whilePaired(stored.draftFiles),
    quoted: whilePaired(stored.draftQuoted),
  },
  view: { ...whilePaired(stored.view), getValue: readEarly(stored.view) },
  readTo: { ...whilePaired(stored.readTo), getValue: readEarly(stored.readTo) },
  embedsData: true,
}

type Stored<Value> = Omit<Item<Value>, 'setLast'>

/** After "forget everything" the draft must not come back. */
export function whilePaired<Value>(item: Stored<Value>): Item<Value> {
  return {
    getValue: () => item.getValue(),
    setValue: async (value) => {
      if (await stored.pairing.getValue()) await item.setValue(value)
    },
    setLast: (value) => void item.setValue(value),
  }
}
