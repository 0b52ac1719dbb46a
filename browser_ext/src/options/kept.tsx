import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { say } from '../say'
import { keptHere, describeItems, type Kept as Found } from './kept_here'

/** What this browser stores now. "Leave" removes it. */
export function Kept() {
  const items = useKept()
  return (
    <section class="part" aria-labelledby="kept">
      <h2 id="kept">{say('kept')}</h2>
      <p>{say('kept_lead')}</p>
      {items && (
        <dl id="kept-list" class="pairs">
          {describeItems(items).map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function useKept(): Found | null {
  const [items, setItems] = useState<Found | null>(null)
  useEffect(() => {
    const look = () => void keptHere().then(setItems)
    look()
    browser.storage.onChanged.addListener(look)
    return () => browser.storage.onChanged.removeListener(look)
  }, [])
  return items
}
