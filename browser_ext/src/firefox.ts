// Functions that only Firefox has, which the shared types lack.
import { browser } from 'wxt/browser'

interface FirefoxOnly {
  sidebarAction: { toggle(): Promise<void>; open(): Promise<void> }
  tabs: {
    hide(tabId: number): Promise<number[]>
    captureTab(
      tabId: number,
      options: { format: 'png'; rect: { x: number; y: number; width: number; height: number }; scale: number },
    ): Promise<string>
  }
  commands: { openShortcutSettings?: () => Promise<void> }
  contextualIdentities: {
    create(details: { name: string; color: string; icon: string }): Promise<{ cookieStoreId: string }>
    remove(cookieStoreId: string): Promise<unknown>
  }
}

/** Use only behind `import.meta.env.FIREFOX`. */
export const firefox = browser as unknown as FirefoxOnly
