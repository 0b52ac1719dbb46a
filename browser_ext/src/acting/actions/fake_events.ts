// jsdom does not take the window of a test for one: events get none.
import { vi } from 'vitest'

export function allowEvents(): void {
  for (const name of ['MouseEvent', 'KeyboardEvent', 'FocusEvent'] as const) {
    const Kind = globalThis[name] as typeof MouseEvent
    vi.stubGlobal(
      name,
      class extends Kind {
        constructor(type: string, init: MouseEventInit = {}) {
          super(type, { ...init, view: null })
        }
      },
    )
  }
}
