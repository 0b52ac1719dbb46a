import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { firefox } from '../firefox'
import { say } from '../say'

interface Shortcut {
  name: string
  keys: string
}

const CHROME_PAGE = 'chrome://extensions/shortcuts'
/** Commands of the browser itself have no description of ours. */
const OPENS = ['_execute_action', '_execute_sidebar_action', '_execute_browser_action']

/** The present shortcuts. The owner changes them on a page of the browser. */
export function Shortcuts() {
  const shortcuts = useShortcuts()
  return (
    <section class="part" aria-labelledby="shortcuts">
      <h2 id="shortcuts">{say('shortcuts')}</h2>
      {shortcuts && shortcuts.length > 0 && (
        <dl id="shortcut-list" class="pairs">
          {shortcuts.map(({ name, keys }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{keys ? <kbd>{keys}</kbd> : say('shortcut_no_keys')}</dd>
            </div>
          ))}
        </dl>
      )}
      {shortcuts?.length === 0 && <p class="empty">{say('shortcuts_none')}</p>}
      <Change />
    </section>
  )
}

function Change() {
  if (!import.meta.env.FIREFOX || firefox.commands.openShortcutSettings) {
    return (
      <button id="change-shortcuts" type="button" class="button" onClick={() => void openSettings()}>
        {say('shortcuts_change')}
      </button>
    )
  }
  return <p>{say('shortcuts_change_firefox')}</p>
}

async function openSettings(): Promise<void> {
  if (import.meta.env.FIREFOX) await firefox.commands.openShortcutSettings?.()
  else await browser.tabs.create({ url: CHROME_PAGE })
}

/** Read again when the owner comes back to this page: shortcuts change elsewhere. */
function useShortcuts(): Shortcut[] | null {
  const [shortcuts, setShortcuts] = useState<Shortcut[] | null>(null)
  useEffect(() => {
    const look = () => void shortcutsNow().then(setShortcuts)
    look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return shortcuts
}

async function shortcutsNow(): Promise<Shortcut[]> {
  const all = (await browser.commands?.getAll()) ?? []
  return all.map(({ name = '', description = '', shortcut = '' }) => ({
    name: OPENS.includes(name) ? say('shortcut_open') : description || name,
    keys: shortcut,
  }))
}
