import type { ComponentChildren } from 'preact'

export function Buttons({ children }: { children: ComponentChildren }) {
  return <div class="step-buttons">{children}</div>
}
