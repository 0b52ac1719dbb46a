// Builds the chat page of the site from the same conversation that the sidebar shows, into a folder that Django serves.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { katexForMathml } from './scripts/katex_for_mathml.ts'

const OUTPUT = resolve(import.meta.dirname, '.output/web')

/** WhiteNoise serves a compressed file that stands beside the plain one. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    closeBundle() {
      const folder = join(OUTPUT, 'chat')
      for (const name of readdirSync(folder).filter((name) => !name.endsWith('.gz')))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }))
    },
  }
}

export default defineConfig({
  publicDir: false,
  base: './',
  plugins: [compressed(), katexForMathml()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { 'import.meta.env.FIREFOX': 'false' },
  build: {
    outDir: join(OUTPUT, 'chat'),
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: { chat: resolve(import.meta.dirname, 'src/web_chat/main.tsx') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: 'chat[extname]',
      },
    },
  },
})
