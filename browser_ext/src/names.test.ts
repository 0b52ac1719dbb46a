// A search for a function finds it: no module-level name of one is defined in more than three modules.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const MOST_MODULES = 3
const FUNCTION = /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/gm

function modules(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name))
}

it('no function has the name of more than two others', () => {
  const byName = new Map<string, string[]>()
  for (const module of [...modules('src'), ...modules('entrypoints')]) {
    const names = [...readFileSync(join(ROOT, module), 'utf8').matchAll(FUNCTION)].map((match) => match[1] ?? '')
    for (const name of new Set(names)) byName.set(name, [...(byName.get(name) ?? []), module])
  }
  expect([...byName].filter(([, places]) => places.length > MOST_MODULES)).toEqual([])
})
