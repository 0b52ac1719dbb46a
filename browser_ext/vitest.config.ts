import { defineConfig } from 'vitest/config'
import { defuddleWithoutSites } from './scripts/defuddle_without_sites.ts'
import { katexForMathml } from './scripts/katex_for_mathml.ts'
import { pdfForText } from './scripts/pdf_for_text.ts'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

export default defineConfig({
  plugins: [WxtVitest(), pdfForText(), katexForMathml(), defuddleWithoutSites()],
  resolve: { alias: { 'vitest-environment-page': `${import.meta.dirname}/vitest.page.ts` } },
  test: {
    setupFiles: ['vitest.setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    pool: 'threads',
    isolate: false, // vitest.setup.ts does it in less time
    // By default one less than there are cores: one, where there are two.
    maxWorkers: 2,
    // On a busy machine all takes ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Of three packages tests would otherwise run the whole instead of the parts that are shipped. The others hold on
    // to the page or the browser, which each file has for itself.
    server: { deps: { inline: [/defuddle|katex|pdfjs-dist/, /dompurify|preact|fake-indexeddb|webext-core|wxt-dev/] } },
  },
})
