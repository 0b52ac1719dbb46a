// Shrinks pdf.js to what extracting text needs: the packages get about 300 kB smaller. Parts for drawing, editing and
// forms become stand-ins that throw. The release of pdf.js is pinned. A release with other parts fails the build here.
import type { Plugin } from 'vite'

/** Parts of pdf.js, by the comments that head them in its builds. A name that ends with a slash is a folder. */
const LEFT_OUT: Record<string, readonly string[]> = {
  'pdf.worker.mjs': [
    // pictures and colours
    ...['brotli/', 'jbig2/', 'openjpeg/', 'qcms/'].map((name) => `./external/${name}`),
    ...[
      'jpg',
      'jpeg_stream',
      'jpx',
      'jpx_stream',
      'jbig2_ccittFax',
      'jbig2_stream',
      'wasm_image',
      'brotli_stream',
      'image',
      'image_resizer',
    ].map(inCore),
    ...['icc_colorspace', 'pattern', 'font_renderer', 'obj_bin_transform_core', 'function'].map(inCore),
    './src/core/postscript/',
    // documents that arrive while they are read
    inCore('chunked_stream'),
    // fonts of the system
    inCore('font_substitutions'),
    // XML
    ...['metadata_parser', 'xml_parser'].map(inCore),
    // forms, comments, sound, and changing a file
    ...['annotation', 'default_appearance', 'dataset_reader', 'sound', 'struct_tree', 'writer', 'intersector'].map(
      inCore,
    ),
    ...[
      'xfa_fonts',
      'calibri_factors',
      'helvetica_factors',
      'liberationsans_widths',
      'myriadpro_factors',
      'segoeui_factors',
    ].map(inCore),
    './src/core/editor/',
    './src/core/xfa/',
  ],
  'pdf.mjs': [
    './src/display/editor/',
    ...['annotation_layer', 'draw_layer', 'text_layer', 'text_layer_images', 'xfa_layer', 'xfa_text'].map(inDisplay),
    ...[
      'canvas',
      'canvas_dependency_tracker',
      'dom_filter_factory',
      'pattern_helper',
      'renderer_worker_proxy',
      'svg_factory',
      'webgpu',
    ].map(inDisplay),
    ...['fetch_stream', 'metadata', 'network', 'node_stream', 'obj_bin_transform_display', 'touch_manager'].map(
      inDisplay,
    ),
  ],
}
const BUILD = /\/pdfjs-dist\/build\/(pdf(?:\.worker)?\.mjs)(?:\?|$)/
const MARKER = /^;\/\/ (\.\/\S+)$/gm
/** Nothing may be loaded as code, which pdf.js does outside of browsers. */
const NO_CODE: readonly [RegExp, string][] = [
  [/\bimport\(\s*(?:\/\*[^*]*\*\/\s*)*this\.workerSrc\s*\)/g, 'leftOut("imports")()'],
  [/^const isNodeJS = .*;$/m, 'const isNodeJS = false;'],
]
/** Each build also sets a global, which would keep all of it alive. */
const GLOBAL = /^globalThis\.pdfjs\w+ = \{[^}]*\};$/m
// It accepts settings, which pdf.js hands out before it knows what it needs.
const STAND_IN = `function leftOut(name) {
  const fail = () => { throw new Error('pdf.js was built without ' + name) };
  const get = (of, key) => (key === 'setOptions' ? () => undefined : key === 'prototype' || typeof key === 'symbol' ? of[key] : fail());
  return new Proxy(fail, { construct: fail, get });
}
`

interface Section {
  name: string
  start: number
  end: number
}

/** A top-level statement of the parser, with the fields of declarations. */
interface Statement {
  type: string
  start: number
  id?: { name?: string } | null
  declarations?: { id: { type: string; name?: string; properties?: { value?: { name?: string } }[] } }[]
}

/** Rewrite the two builds of pdf.js when they are loaded. Other files pass. */
export function pdfForText(): Plugin {
  return {
    name: 'penny:pdf-for-text',
    enforce: 'pre',
    transform(code, id) {
      const file = BUILD.exec(id)?.[1]
      return file
        ? { code: withoutParts(code, file, this.parse(code).body as unknown as Statement[]), map: null }
        : null
    },
  }
}

function withoutParts(code: string, file: string, statements: readonly Statement[]): string {
  const parts = sectionsOf(code)
  const out = (LEFT_OUT[file] ?? []).flatMap((pattern) => sectionsNamed(pattern, parts, file))
  if (!GLOBAL.test(code)) throw unknownBuild(file, 'it no longer sets a global')
  const text = out
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, part) => rest.slice(0, part.start) + standIns(part, statements, file) + rest.slice(part.end), code)
  return (
    STAND_IN + NO_CODE.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text.replace(GLOBAL, ''))
  )
}

function sectionsOf(code: string): Section[] {
  const marks = [...code.matchAll(MARKER)]
  return marks.map((mark, at) => ({ name: mark[1] ?? '', start: mark.index, end: marks[at + 1]?.index ?? code.length }))
}

function sectionsNamed(pattern: string, parts: readonly Section[], file: string): Section[] {
  const matches = parts.filter(({ name }) => (pattern.endsWith('/') ? name.startsWith(pattern) : name === pattern))
  if (matches.length === 0) throw unknownBuild(file, `it has no part ${pattern}`)
  return matches
}

/** One stand-in for each declared name. Other statements of the part are removed with it. */
function standIns({ name, start, end }: Section, statements: readonly Statement[], file: string): string {
  const inside = statements.filter((statement) => statement.start >= start && statement.start < end)
  const names = inside.flatMap(
    (statement) => declaredBy(statement) ?? fail(unknownBuild(file, `${name} has a ${statement.type}`)),
  )
  return names.map((part) => `const ${part} = /*#__PURE__*/ leftOut(${JSON.stringify(part)});\n`).join('')
}

function declaredBy({ type, id, declarations }: Statement): string[] | null {
  if (type === 'ClassDeclaration' || type === 'FunctionDeclaration') return id?.name ? [id.name] : null
  if (type !== 'VariableDeclaration') return type.endsWith('Statement') ? [] : null
  const names =
    declarations?.flatMap(({ id }) =>
      id.type === 'ObjectPattern' ? id.properties?.map(({ value }) => value?.name) : [id.name],
    ) ?? []
  return names.every((declared) => declared !== undefined) ? names : null
}

function unknownBuild(file: string, what: string): Error {
  return new Error(
    `pdfjs-dist: ${file} is not the one that scripts/pdf_for_text.ts knows: ${what}. Look at its parts and mend the list there.`,
  )
}

function fail(error: Error): never {
  throw error
}

function inCore(name: string): string {
  return `./src/core/${name}.js`
}

function inDisplay(name: string): string {
  return `./src/display/${name}.js`
}
