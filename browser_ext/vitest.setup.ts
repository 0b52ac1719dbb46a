// Adds the message catalogue, and the page that opens after a removal, which the fake browser lacks: tests read the
// extension in English. Waits longer by default, for busy machines. Unmounts the page after each test: its timers would
// write into the storage of the next one.
// Files share a process, because starting one takes longer than most files. Each file has its own modules and page, and
// leaves no timer, no stand-in and no global to the next file.
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import english from './src/locales/en.json'

if ('jsdom' in globalThis && !globalThis.renewPage)
  throw new Error('Write `@vitest-environment page`: files would share the page of jsdom.')
await globalThis.renewPage?.()
vi.resetModules()
const { fakeBrowser } = await import('wxt/testing/fake-browser')
const { speakFrom } = await import('./src/say')

const globals = new Set(Reflect.ownKeys(globalThis))
const timers = new Set<ReturnType<typeof setTimeout>>()
const starters = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval as typeof setTimeout }
for (const [name, start] of Object.entries(starters)) {
  const startAndNote = (...values: Parameters<typeof start>) => {
    const timer = start(...values)
    timers.add(timer)
    return timer
  }
  Object.assign(globalThis, { [name]: Object.assign(startAndNote, start) })
}

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  timers.forEach(clearTimeout)
  Object.assign(globalThis, starters)
  const left = Reflect.ownKeys(globalThis).filter((name) => !globals.has(name))
  left.forEach((name) => Reflect.deleteProperty(globalThis, name))
})

const catalogue = new Map(Object.entries(english))

function getMessage(key: string, parts: string | string[] = []): string {
  const values = [parts].flat()
  return (catalogue.get(key) ?? '').replace(/\$([1-9])/g, (_, place: string) => values[Number(place) - 1] ?? '')
}

Object.assign(fakeBrowser.i18n, { getMessage })
Object.assign(fakeBrowser.runtime, { setUninstallURL: async () => undefined })
speakFrom((key, parts) => fakeBrowser.i18n.getMessage(key, parts))
globalThis.navigator ??= { languages: ['en'] } as unknown as Navigator

const waitFor = vi.waitFor
const PATIENCE = { timeout: 15_000 }
vi.waitFor = (condition, options = PATIENCE) => waitFor(condition, options)

// The page of a test is the sidebar.
beforeAll(async () => {
  if (!globalThis.document) return
  const { setHost } = await import('./src/conversation/host')
  setHost((await import('./src/panel/host')).panelHost)
})

afterEach(async () => {
  const app = globalThis.document?.getElementById('app')
  if (app) (await import('preact')).render(null, app)
})

// Browsers have it; jsdom does not.
globalThis.matchMedia ??= () => ({ matches: false }) as MediaQueryList

// Browsers have it; old versions of Node do not.
Promise.withResolvers ??= <T>() => {
  let settle!: Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle }
}
