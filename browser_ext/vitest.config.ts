import { defineConfig } from 'vitest/config'
import { pdfForText } from './scripts/pdf_for_text'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

export default defineConfig({
  plugins: [WxtVitest(), pdfForText()],
  test: {
    setupFiles: ['vitest.setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Threads start faster than processes, and isolate these tests enough.
    pool: 'threads',
    // By default one less than there are cores: one, where there are two.
    maxWorkers: 2,
    testTimeout: 30_000,
    // Without this, tests would run all of pdf.js instead of the parts that are shipped.
    server: { deps: { inline: ['pdfjs-dist'] } },
  },
})
