// Shrinks Defuddle to what it knows of any page. Its extractors for single sites are left out. The release of Defuddle
// is pinned. A release with other parts fails the build here.
import type { Plugin } from 'vite'

const BUILD = /\/defuddle\/dist\/index\.js(?:\?|$)/
/** What the module of the extractors exports. Without extractors, Defuddle looks for the content itself. */
const REGISTRY = /\b(\w+)\.ExtractorRegistry=void 0/
/** A call with a number, which a minifier may have written as 6e3. */
const REQUIRED = /\b\w+\((\d+(?:e\d+)?)\)/g

/** A node of the parser, with the fields of objects and their properties. */
interface Node {
  type: string
  start: number
  end: number
  key?: { value?: unknown }
  value?: Node
  properties?: Node[]
}

/** Rewrite Defuddle's build when it is loaded. Other files pass. */
export function defuddleWithoutSites(): Plugin {
  return {
    name: 'penny:defuddle-without-sites',
    enforce: 'pre',
    transform(code, id) {
      return BUILD.test(id) ? { code: withoutSites(code, modulesOf(this.parse(code))), map: null } : null
    },
  }
}

/** Empty the registry, and remove each module that nothing requires any more. */
function withoutSites(code: string, modules: readonly Node[]): string {
  const texts = new Map(modules.map((module) => [String(module.key?.value), code.slice(module.start, module.end)]))
  const [registry, text] = [...texts].find(([, text]) => REGISTRY.test(text)) ?? []
  if (!registry || !text) throw unknownBuild('no module has an ExtractorRegistry')
  texts.set(registry, `${registry}(module, exports) { exports.ExtractorRegistry = { findExtractor: () => null } }`)
  const needed = requiredBy(code.slice(modules.at(-1)?.end), texts)
  return modules.reduceRight((rest, { key, start, end }) => {
    const id = String(key?.value)
    return rest.slice(0, start) + ((needed.has(id) && texts.get(id)) || `${id}: null`) + rest.slice(end)
  }, code)
}

function requiredBy(entrance: string, texts: ReadonlyMap<string, string>): Set<string> {
  const needed = new Set<string>()
  for (const waiting = [entrance]; waiting.length > 0;)
    for (const [, number] of (waiting.pop() ?? '').matchAll(REQUIRED)) {
      const id = String(Number(number))
      const text = texts.get(id)
      if (text === undefined || needed.has(id)) continue
      needed.add(id)
      waiting.push(text)
    }
  return needed
}

/** The table of modules: an object whose keys are numbers. */
function modulesOf(part: unknown): Node[] {
  if (typeof part !== 'object' || part === null) return []
  const { type, properties = [] } = part as Node
  if (
    type === 'ObjectExpression' &&
    properties.length > 1 &&
    properties.every(({ key }) => typeof key?.value === 'number')
  )
    return properties
  return (
    Object.values(part)
      .map(modulesOf)
      .find(({ length }) => length > 0) ?? []
  )
}

function unknownBuild(what: string): Error {
  return new Error(
    `defuddle's index.js is not the one that scripts/defuddle_without_sites.ts knows: ${what}. Look at its modules and mend the script.`,
  )
}
