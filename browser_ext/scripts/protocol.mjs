// Generates src/protocol.gen.ts from the JSON Schema of the wire contract (`manage.py protocol_schema`). Usage: node
// scripts/protocol.mjs [SCHEMA.json] [--stdout]; without a file it reads standard input.
import { readFileSync, writeFileSync } from 'node:fs'
import { compile } from 'json-schema-to-typescript'

const TARGET = new URL('../src/protocol.gen.ts', import.meta.url)
const BANNER = '/* Generated from devices/protocol by `npm run protocol`. Do not edit. */'

/** The title of a field would become an alias. Only definitions get names. */
function withoutFieldTitles(node) {
  if (Array.isArray(node)) return node.map(withoutFieldTitles)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'title' || typeof value !== 'string')
      .map(([key, value]) => [key, withoutFieldTitles(value)]),
  )
}

/** Length limits would become tuples of up to 500 members. The limits are checked at run time instead. */
function withoutArrayLimits(node) {
  if (Array.isArray(node)) return node.map(withoutArrayLimits)
  if (typeof node !== 'object' || node === null) return node
  const { maxItems: _most, minItems: _least, ...rest } = node
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutArrayLimits(value)]))
}

/** Remove the notes about where a definition is used: the name says that already. */
function withoutOrigins(types) {
  return types
    .replace(/\/\*\*\n \* This interface was referenced by .*\n \* via the `definition` .*\n \*\/\n/g, '')
    .replace(/ \*\n \* This interface was referenced by .*\n \* via the `definition` .*\n/g, '')
}

async function generate(schemaText) {
  const schema = withoutArrayLimits(withoutFieldTitles(JSON.parse(schemaText)))
  const types = await compile(schema, 'PennyProtocol', {
    additionalProperties: false,
    bannerComment: BANNER,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  })
  return withoutOrigins(types)
}

const options = process.argv.slice(2)
const file = options.find((option) => !option.startsWith('--')) ?? 0
const types = await generate(readFileSync(file, 'utf8'))
if (options.includes('--stdout')) process.stdout.write(types)
else writeFileSync(TARGET, types)
