import { defineConfig } from 'vitest/config'
import { defuddleWithoutSites } from './scripts/defuddle_without_sites.ts'
import { katexForMathml } from './scripts/katex_for_mathml.ts'
import { pdfForText } from './scripts/pdf_for_text.ts'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

export default defineConfig({
  plugins: [WxtVitest(), pdfForText(), katexForMathml(), defuddleWithoutSites()],
  test: {
    setupFiles: ['vitest.setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Threads start faster than processes, and isolate these tests enough.
    pool: 'threads',
    // By default one less than there are cores: one, where there are two.
    maxWorkers: 2,
    testTimeout: 30_000,
    // Without this, tests would run the whole packages instead of the parts that are shipped.
    server: { deps: { inline: ['defuddle', 'katex', 'pdfjs-dist'] } },
  },
})
