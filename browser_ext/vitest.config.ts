import { defineConfig } from 'vitest/config'
import { pdfForText } from './scripts/pdf_for_text'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

export default defineConfig({
  plugins: [WxtVitest(), pdfForText()],
  test: {
    setupFiles: ['vitest.setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Threads begin in less time than processes, and are as far apart as these tests need.
    pool: 'threads',
    testTimeout: 30_000,
    // Or tests would run all of pdf.js, and not the part of it that is shipped.
    server: { deps: { inline: ['pdfjs-dist'] } },
  },
})
