// Light or dark: as the system, unless the owner chose one. tokens.css has both palettes.
import { stored, type Theme } from '../state/stored'

/** Apply the theme to this page, now and after each change. */
export async function wearTheme(): Promise<void> {
  const wear = (theme: Theme) => void (document.documentElement.dataset.theme = theme)
  stored.theme.watch(wear)
  wear(await stored.theme.getValue())
}
