// Shrinks KaTeX to what writes MathML. Its builders of HTML are left out, and the measures of its fonts. The
// release of KaTeX is pinned. A release with other parts fails the build here.
import type { Plugin } from 'vite'

const BUILD = /\/katex\/dist\/katex\.mjs(?:\?|$)/
/** The field of KaTeX's definitions that writes a command as HTML. */
const BUILDER = 'htmlBuilder'
const FONTS = 'fontMetricsData'
/** MathML asks one font, and only whether it has a character. */
const FONT = 'Main-Regular'
/** `\LaTeX` is written with the heights of these. All characters get theirs. */
const LETTERS = 'AT'
const CHANGES: readonly [string, string][] = [
  [
    'function buildHTML(tree, options) {',
    "function buildHTML() { throw new Error('KaTeX was built without HTML') }\nfunction unused() {",
  ],
  ['katex as default, ', ''], // holds all of KaTeX
]
const CHARACTERS = `function charactersOf(runs, measures) {
  const characters = {};
  for (const [first, last] of runs) for (let code = first; code <= last; code++) characters[code] = measures;
  return characters;
}
`

/** A node of the parser, with the fields of properties and declarations. */
interface Node {
  type: string
  start: number
  end: number
  key?: { name?: string; value?: unknown }
  id?: { name?: string }
  init?: Node
  value?: Node
  properties?: Node[]
  elements?: { value: number }[]
}

/** Rewrite the module of KaTeX when it is loaded. Other files pass. */
export function katexForMathml(): Plugin {
  return {
    name: 'penny:katex-for-mathml',
    enforce: 'pre',
    transform(code, id) {
      return BUILD.test(id) ? { code: withoutHtml(code, nodesOf(this.parse(code))), map: null } : null
    },
  }
}

function withoutHtml(code: string, nodes: readonly Node[]): string {
  const builders = nodes.filter(({ type, key }) => type === 'Property' && key?.name === BUILDER)
  const fonts = nodes.find(({ type, id }) => type === 'VariableDeclarator' && id?.name === FONTS)?.init
  if (builders.length === 0) throw unknownBuild(`no definition has a ${BUILDER}`)
  if (!fonts) throw unknownBuild(`it has no ${FONTS}`)
  const edits = [
    ...builders.map(({ start, end }) => ({ start, end, text: `${BUILDER}: undefined` })),
    { ...fonts, text: withoutMeasures(fonts) },
  ]
  const text = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
  return CHARACTERS + CHANGES.reduce(replaced, text)
}

function replaced(text: string, [part, instead]: readonly [string, string]): string {
  if (!text.includes(part)) throw unknownBuild(`it has no ${part}`)
  return text.replace(part, instead)
}

function withoutMeasures(fonts: Node): string {
  const font = fonts.properties?.find(({ key }) => key?.value === FONT)?.value?.properties ?? []
  const codes = font.map(({ key }) => Number(key?.value)).toSorted((a, b) => a - b)
  const measures = font.filter(({ key }) => LETTERS.includes(String.fromCharCode(Number(key?.value))))
  const [height, ...others] = measures.map(({ value }) =>
    JSON.stringify(value?.elements?.slice(0, 2).map(({ value }) => value)),
  )
  if (!height || others.length !== 1 || others[0] !== height) throw unknownBuild(`${FONT} has other measures`)
  return `{ '${FONT}': charactersOf(${JSON.stringify(runsOf(codes))}, ${height}) }`
}

function runsOf(codes: readonly number[]): [number, number][] {
  const firsts = codes.filter((code, at) => codes[at - 1] !== code - 1)
  const lasts = codes.filter((code, at) => codes[at + 1] !== code + 1)
  return firsts.map((first, at) => [first, lasts[at] ?? first])
}

function nodesOf(part: unknown): Node[] {
  if (typeof part !== 'object' || part === null) return []
  const inside = Object.values(part).flatMap(nodesOf)
  return 'type' in part ? [part as Node, ...inside] : inside
}

function unknownBuild(what: string): Error {
  return new Error(
    `katex.mjs is not the one that scripts/katex_for_mathml.ts knows: ${what}. Look at its parts and mend the list there.`,
  )
}
