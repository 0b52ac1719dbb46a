// The SHA-256 of files that the owner chose. A file never changes, so that its hash can be made before the act: at the
// act there is no time to wait.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { isSubmitButton } from './form_facts'
import { scopeOf } from './scope'

const FILES_MOST = 20
const FILE_BYTES = 20_000_000
const hashes = new WeakMap<File, string>()

/** Hash the files that the act would send. A file without hash later makes the act unshowable. */
export async function hashFilesAround(element: Element): Promise<void> {
  const submitter = isSubmitButton(element) ? element : null
  const files = scopeOf({ element, submitter })?.files ?? []
  for (const file of files.slice(0, FILES_MOST)) {
    if (file.size <= FILE_BYTES && !hashes.has(file)) hashes.set(file, bytesToHex(sha256(await bytesOf(file))))
  }
}

export function hashOfFile(file: File): string | null {
  return hashes.get(file) ?? null
}

async function bytesOf(file: File): Promise<Uint8Array> {
  const reader = new FileReader()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  reader.onload = () => {
    resolve()
  }
  reader.onerror = () => {
    reject(new Error('the file cannot be read'))
  }
  reader.readAsArrayBuffer(file)
  await promise
  return new Uint8Array(reader.result as ArrayBuffer)
}
