import { useEffect, useRef, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import type { PanelState } from '../state/panel_state'
import { say, sayWith } from '../say'
import { sendCommand } from '../own_pages/background_link'
import { Mark } from '../own_pages/mark'
import { hostOfServer } from '../own_pages/words'

interface TopBarProps {
  state: PanelState
  isSearching: boolean
  onSearch: () => void
}

export function TopBar({ state, isSearching, onSearch }: TopBarProps) {
  const server = state.pairing?.server ?? ''
  return (
    <header class="top">
      <Mark size={20} />
      <h1>Penny</h1>
      <a id="thoughts" class="thoughts" href={`${server}/`} target="_blank" rel="noopener">
        {state.unread > 0 ? say('thoughts_unread', state.unread) : say('thoughts')}
      </a>
      <button
        id="search"
        type="button"
        class="button quiet"
        aria-label={say('search_conversation')}
        title={say('search_conversation')}
        aria-pressed={isSearching}
        onClick={onSearch}
      >
        <svg class="glass" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5L20 20" />
        </svg>
      </button>
      <Menu state={state} />
    </header>
  )
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
        <span class="dots" aria-hidden="true" />
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
