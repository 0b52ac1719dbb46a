// Light or dark: as the system has it, unless the owner chose one. tokens.css holds the colours of both.
import { stored, type Theme } from '../state/stored'

/** The page wears the theme, and changes with it wherever it is chosen. */
export async function wearTheme(): Promise<void> {
  const wear = (theme: Theme) => void (document.documentElement.dataset.theme = theme)
  stored.theme.watch(wear)
  wear(await stored.theme.getValue())
}
