// The browser's catalogue, which the fake browser lacks: tests read the extension in English. And patience: what is waited for comes
// late on a machine that is busy. What a test drew is taken away after it: its timers would write into what the next one stores.
import { afterEach, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import english from './src/locales/en.json'

const catalogue = new Map(Object.entries(english))

function getMessage(key: string, parts: string | string[] = []): string {
  const given = [parts].flat()
  return (catalogue.get(key) ?? '').replace(/\$([1-9])/g, (_, place: string) => given[Number(place) - 1] ?? '')
}

Object.assign(fakeBrowser.i18n, { getMessage })
globalThis.navigator ??= { languages: ['en'] } as unknown as Navigator

const waitFor = vi.waitFor
const PATIENCE = { timeout: 15_000 }
vi.waitFor = (condition, options = PATIENCE) => waitFor(condition, options)

afterEach(async () => {
  const drawn = globalThis.document?.getElementById('app')
  if (drawn) (await import('preact')).render(null, drawn)
})

// Browsers have it; this Node may be too old.
Promise.withResolvers ??= <T>() => {
  let settle!: Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle }
}
