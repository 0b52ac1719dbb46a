// Packs each build into a zip. The same files give the same bytes on any machine. A package that is too large fails.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import zopfli from '@gfx/zopfli'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'

const OUTPUT = resolve(import.meta.dirname, '../.output')
const BUILDS = { chrome: 'chrome-mv3', firefox: 'firefox-mv2' }
const MOST_BYTES = 700_000
/** The earliest date of the zip format, which knows no time zones. */
const LONG_AGO = new Date(1980, 0, 1)
const LARGEST = 5
const DEFLATE = 8
/** Of the search for the smallest form. Further ones gain next to nothing. */
const ROUNDS = 5
/** Bytes of the header of gzip, and of its end: the checksum and the length. */
const [HEADER, END] = [10, 8]
/** Both packages have most files in common. */
const compressed = new Map()

for (const [browser, build] of Object.entries(BUILDS)) {
  const folder = join(OUTPUT, build)
  const data = await packed(folder)
  writeFileSync(join(OUTPUT, `penny-${browser}.zip`), data)
  console.log(`penny-${browser}.zip ${data.length} bytes sha256 ${createHash('sha256').update(data).digest('hex')}`)
  if (data.length > MOST_BYTES) fail(browser, data.length, folder)
}

async function packed(folder) {
  const zip = new ZipWriter(new Uint8ArrayWriter())
  for (const name of filesIn(folder)) {
    const content = readFileSync(join(folder, name))
    const gzip = await compress(content)
    await zip.add(name, new Uint8ArrayReader(gzip.subarray(HEADER, -END)), {
      passThrough: true,
      compressionMethod: DEFLATE,
      uncompressedSize: content.length,
      crc32: gzip.readUInt32LE(gzip.length - END),
      lastModDate: LONG_AGO,
      extendedTimestamp: false,
      dataDescriptor: false,
      useWebWorkers: false,
    })
  }
  return zip.close()
}

async function compress(content) {
  const key = createHash('sha256').update(content).digest('hex')
  if (!compressed.has(key)) compressed.set(key, Buffer.from(await zopfli.gzipAsync(content, { numiterations: ROUNDS })))
  return compressed.get(key)
}

function filesIn(folder) {
  const found = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile())
  return found.map((name) => name.split(sep).join('/')).sort()
}

function fail(browser, size, folder) {
  const files = filesIn(folder).map((name) => [statSync(join(folder, name)).size, name])
  const largest = files.sort(([a], [b]) => b - a).slice(0, LARGEST)
  console.error(`penny-${browser}.zip has ${size} bytes, and ${MOST_BYTES} are the most. The largest files, unpacked:`)
  for (const [bytes, name] of largest) console.error(`  ${bytes} ${name}`)
  console.error(
    'What is large belongs into files that are loaded when they are needed, with only the parts that are used (scripts/pdf_for_text.ts does that with pdf.js).',
  )
  process.exitCode = 1
}
