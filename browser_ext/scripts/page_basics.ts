// Leaves the modules that page_basics.js provides out of the scripts that run after it: they take them from its global.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { mergeConfig, type InlineConfig } from 'vite'

const ENTRYPOINT = resolve(import.meta.dirname, '../entrypoints/page_basics.ts')
const GLOBAL = 'pennyBasics'
const IMPORT = /^import \* as (\w+) from '(\.\.\/src\/.+)'$/gm
const FILE = '/page_basics.js'
/** The scripts that page_basics.js runs before. */
const AFTER = new Set(['extractors', 'acting', 'bar', 'background'])

const names = new Map(
  [...readFileSync(ENTRYPOINT, 'utf8').matchAll(IMPORT)].map(([, name = '', path = '']) => [
    resolve(ENTRYPOINT, '..', `${path}.ts`),
    name,
  ]),
)

export function takeFromBasics(entrypoint: string, config: InlineConfig): void {
  if (!AFTER.has(entrypoint)) return
  // a service worker loads it itself
  const banner = entrypoint === 'background' ? `globalThis.importScripts?.('${FILE}');` : ''
  const globals = (id: string): string => `${GLOBAL}.${names.get(id) ?? ''}`
  const options = mergeConfig<InlineConfig, InlineConfig>(config, {
    build: { rolldownOptions: { external: (id) => names.has(id), output: { globals, banner } } },
  })
  Object.assign(config, options)
}

/** A page of the background names it before its own script. */
export function addBasics({ background }: { background?: { scripts?: string[] } | { service_worker: string } }): void {
  if (background && 'scripts' in background) background.scripts = [FILE.slice(1), ...(background.scripts ?? [])]
}
