import { useEffect, useState } from 'preact/hooks'
import { say, type Key } from '../say'
import { stored } from '../state/stored'
import { THEMES, type Theme } from '../state/stored'

const NAMES: Record<Theme, Key> = { system: 'theme_system', light: 'theme_light', dark: 'theme_dark' }

export function Look() {
  const [current, setCurrent] = useState<Theme>('system')
  useEffect(() => {
    void stored.theme.getValue().then(setCurrent)
    return stored.theme.watch(setCurrent)
  }, [])
  return (
    <section class="part" aria-labelledby="look">
      <h2 id="look">{say('look')}</h2>
      <fieldset class="themes">
        <legend>{say('theme')}</legend>
        {THEMES.map((theme) => (
          <label key={theme}>
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={current === theme}
              onChange={() => void stored.theme.setValue(theme)}
            />
            {say(NAMES[theme])}
          </label>
        ))}
      </fieldset>
    </section>
  )
}
