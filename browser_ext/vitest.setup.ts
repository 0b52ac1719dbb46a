// Adds the message catalogue, which the fake browser lacks: tests read the extension in English. Waits longer by
// default, for busy machines. Unmounts the page after each test: its timers would write into the storage of the next
// one.
import { afterEach, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import english from './src/locales/en.json'

const catalogue = new Map(Object.entries(english))

function getMessage(key: string, parts: string | string[] = []): string {
  const values = [parts].flat()
  return (catalogue.get(key) ?? '').replace(/\$([1-9])/g, (_, place: string) => values[Number(place) - 1] ?? '')
}

Object.assign(fakeBrowser.i18n, { getMessage })
globalThis.navigator ??= { languages: ['en'] } as unknown as Navigator

const waitFor = vi.waitFor
const PATIENCE = { timeout: 15_000 }
vi.waitFor = (condition, options = PATIENCE) => waitFor(condition, options)

afterEach(async () => {
  const app = globalThis.document?.getElementById('app')
  if (app) (await import('preact')).render(null, app)
})

// Browsers have it; old versions of Node do not.
Promise.withResolvers ??= <T>() => {
  let settle!: Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle }
}
