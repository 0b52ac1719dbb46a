import { defineConfig } from 'vitest/config'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

export default defineConfig({
  plugins: [WxtVitest()],
  // Threads begin in less time than processes, and are as far apart as these tests need.
  test: { setupFiles: ['vitest.setup.ts'], include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true, pool: 'threads', testTimeout: 30_000 },
})
