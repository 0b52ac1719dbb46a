import { useEffect, useRef, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import type { PanelState } from '../panel_state'
import { command } from './background_link'
import { Mark } from './mark'
import { addressOf } from './words'

export function TopBar({ state }: { state: PanelState }) {
  const server = state.pairing?.server ?? ''
  return (
    <header class="top">
      <Mark size={20} />
      <h1>Penny</h1>
      <a id="thoughts" class="thoughts" href={`${server}/`} target="_blank" rel="noopener">
        Thoughts{state.unread > 0 && ` (${state.unread})`}
      </a>
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
        aria-label="Settings"
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

/** Returns what stops listening. */
function closeOutside(holder: HTMLElement | null, close: () => void): () => void {
  const onPointerDown = (event: PointerEvent) => {
    if (!(event.target instanceof Node) || !holder?.contains(event.target)) close()
  }
  document.addEventListener('pointerdown', onPointerDown)
  return () => document.removeEventListener('pointerdown', onPointerDown)
}

function MenuItems({ state }: { state: PanelState }) {
  const setToolUse = (event: Event) => {
    if (event.target instanceof HTMLInputElement) void command({ type: 'set_tool_use', on: event.target.checked })
  }
  return (
    <>
      <label class="switch">
        <input id="tool-use" type="checkbox" role="switch" checked={state.toolUse} onChange={setToolUse} />
        <span>
          Let Penny read pages here
          <small>Only on sites that you allowed</small>
        </span>
      </label>
      <p class="paired">
        This is <b>{state.pairing?.label}</b>, paired with {addressOf(state.pairing?.server ?? null)}
      </p>
      <button id="options" type="button" class="button" onClick={() => void browser.runtime.openOptionsPage()}>
        Sites and settings
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
        Unpair this browser
      </button>
    )
  }
  return (
    <div role="group" aria-label="Unpair this browser?" class="confirm">
      <p>Penny will no longer reach this browser. Your conversation stays with Penny.</p>
      <button id="unpair-confirm" type="button" class="button stop" onClick={() => void command({ type: 'unpair' })}>
        Unpair
      </button>
      <button type="button" class="button quiet" onClick={() => ask(false)}>
        Keep it
      </button>
    </div>
  )
}
