// The environment of tests that need a page: jsdom, of which vitest.setup.ts makes a new one for each file. Starting a
// process for each file, which loads jsdom anew, takes twice as long.
import { builtinEnvironments, type Environment } from 'vitest/runtime'

declare global {
  /** Replace the page by a new one, unless it is new. */
  var renewPage: (() => Promise<void>) | undefined
}

const page: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  async setup(global: typeof globalThis, options: Record<string, unknown>) {
    const start = () => builtinEnvironments.jsdom.setup(global, { jsdom: Object.values(options)[0] ?? {} })
    let current = await start()
    let isNew = true
    global.renewPage = async () => {
      if (!isNew) {
        await current.teardown(global)
        current = await start()
      }
      isNew = false
    }
    return {
      teardown: () => {
        delete global.renewPage
        return current.teardown(global)
      },
    }
  },
}

export default page
