import { useEffect } from 'preact/hooks'
import type { Threads } from '../conversation/threads/use_threads'
import { shownView } from './view_address'

/** Follow the button Back to what was in view before. */
export function useShownAddress({ view, open }: Threads): void {
  useEffect(() => {
    const follow = () => {
      if (shownView() !== view) open(shownView())
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [view])
}
