import { useEffect, useRef, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import type { PanelState } from '../state/panel_state'
import { say, sayWith } from '../say'
import { sendCommand } from '../own_pages/background_link'
import { Icon } from '../conversation/icon'
import { SearchButton } from '../conversation/search_button'
import { ThreadButton } from '../conversation/threads/thread_button'
import type { Threads } from '../conversation/threads/use_threads'
import { hostOfServer, statusOf } from '../own_pages/words'
import { CoinMark } from './coin_mark'
import { useCoin } from './use_coin'

interface TopBarProps {
  state: PanelState
  threads: Threads
  isSearching: boolean
  onSearch: () => void
}

export function TopBar({ state, threads, isSearching, onSearch }: TopBarProps) {
  const server = state.pairing?.server ?? ''
  return (
    <header class="top">
      <CoinMark coin={useCoin(state)} />
      <h1>Penny</h1>
      <Dot state={state} />
      <ThreadButton state={state} threads={threads} />
      <Finds server={server} unread={state.unread} />
      <SearchButton isSearching={isSearching} onSearch={onSearch} />
      <Menu state={state} />
    </header>
  )
}

function Finds({ server, unread }: { server: string; unread: number }) {
  const name = unread > 0 ? say('thoughts_unread', unread) : say('thoughts')
  return (
    <a
      id="thoughts"
      class="button quiet"
      href={`${server}/`}
      target="_blank"
      rel="noopener"
      aria-label={name}
      title={name}
    >
      <Icon path="M4 5h16v6H4zM4 15h16M4 19h10" />
      {unread > 0 && unread}
    </a>
  )
}

/** Says at a glance whether she is connected, and whether she may read. */
function Dot({ state }: { state: PanelState }) {
  const { text, tone } = statusOf(state.connection, state.pairing?.server ?? null, state.toolUse)
  return <span class="dot" role="img" data-tone={tone} aria-label={text} title={text} />
}

function Menu({ state }: { state: PanelState }) {
  const [isOpen, setOpen] = useState(false)
  const holder = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => (isOpen ? closeOutside(holder.current, () => setOpen(false)) : undefined), [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div class="menu" ref={holder} onKeyDown={onKeyDown}>
      <button
        id="menu"
        ref={button}
        type="button"
        class="button quiet"
        aria-label={say('settings')}
        aria-expanded={isOpen}
        aria-controls="menu-items"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon path="M5 12h.01M12 12h.01M19 12h.01" />
      </button>
      <div id="menu-items" class="menu-items" hidden={!isOpen}>
        {isOpen && <MenuItems state={state} />}
      </div>
    </div>
  )
}

/** Return a function that stops listening. */
function closeOutside(holder: HTMLElement | null, close: () => void): () => void {
  const onPointerDown = (event: PointerEvent) => {
    if (!(event.target instanceof Node) || !holder?.contains(event.target)) close()
  }
  document.addEventListener('pointerdown', onPointerDown)
  return () => document.removeEventListener('pointerdown', onPointerDown)
}

function MenuItems({ state }: { state: PanelState }) {
  const setToolUse = (event: Event) => {
    if (event.target instanceof HTMLInputElement) void sendCommand({ type: 'set_tool_use', on: event.target.checked })
  }
  return (
    <>
      <label class="switch">
        <input id="tool-use" type="checkbox" role="switch" checked={state.toolUse} onChange={setToolUse} />
        <span>
          {say('tool_use')}
          <small>{say('tool_use_only')}</small>
        </span>
      </label>
      <p class="paired">
        {sayWith('paired_with', <b>{state.pairing?.label}</b>, hostOfServer(state.pairing?.server ?? null))}
      </p>
      <button id="options" type="button" class="button" onClick={() => void browser.runtime.openOptionsPage()}>
        {say('sites_and_settings')}
      </button>
      <Unpair />
    </>
  )
}

function Unpair() {
  const [isAsked, ask] = useState(false)
  if (!isAsked) {
    return (
      <button id="unpair" type="button" class="button stop" onClick={() => ask(true)}>
        {say('unpair_browser')}
      </button>
    )
  }
  return (
    <div role="group" aria-label={say('unpair_sure')} class="confirm">
      <p>{say('unpair_means')}</p>
      <button
        id="unpair-confirm"
        type="button"
        class="button stop"
        onClick={() => void sendCommand({ type: 'unpair' })}
      >
        {say('unpair')}
      </button>
      <button type="button" class="button quiet" onClick={() => ask(false)}>
        {say('keep_it')}
      </button>
    </div>
  )
}
