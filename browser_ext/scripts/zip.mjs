// Packs each build into a zip. The same files give the same bytes on any machine. A package that is too large fails.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import JSZip from 'jszip'

const OUTPUT = resolve(import.meta.dirname, '../.output')
const BUILDS = { chrome: 'chrome-mv3', firefox: 'firefox-mv2' }
const MOST_BYTES = 700_000
/** The earliest date of the zip format, in a time zone that all machines have. */
const LONG_AGO = new Date(Date.UTC(1980, 0, 1))
const LARGEST = 5

for (const [browser, build] of Object.entries(BUILDS)) {
  const folder = join(OUTPUT, build)
  const data = await packed(folder)
  writeFileSync(join(OUTPUT, `penny-${browser}.zip`), data)
  console.log(`penny-${browser}.zip ${data.length} bytes sha256 ${createHash('sha256').update(data).digest('hex')}`)
  if (data.length > MOST_BYTES) fail(browser, data.length, folder)
}

async function packed(folder) {
  const zip = new JSZip()
  for (const name of filesIn(folder))
    zip.file(name, readFileSync(join(folder, name)), { date: LONG_AGO, createFolders: false })
  return zip.generateAsync({
    type: 'nodebuffer',
    compression: 'DEFLATE',
    compressionOptions: { level: 9 },
    platform: 'DOS',
  })
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
