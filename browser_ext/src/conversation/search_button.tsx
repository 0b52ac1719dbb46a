import { say } from '../say'
import { Icon } from './icon'

export function SearchButton({ isSearching, onSearch }: { isSearching: boolean; onSearch: () => void }) {
  return (
    <button
      id="search"
      type="button"
      class="button quiet"
      aria-label={say('search_conversation')}
      title={say('search_conversation')}
      aria-pressed={isSearching}
      onClick={onSearch}
    >
      <Icon path="M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5L20 20" />
    </button>
  )
}
