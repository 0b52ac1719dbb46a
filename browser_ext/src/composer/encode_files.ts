// Prepare files for a message: texts unchanged, pictures scaled to fit one frame and without camera metadata.
import { isPicture } from '../conversation/message/encoded_file'
import type { Attachment } from '../protocol.gen'

const LONGEST_PX = [1600, 1120, 800]
const PICTURE_BYTES = 200 * 1024
const TOTAL_BYTES = 350 * 1024
const QUALITIES = [0.85, 0.7, 0.5, 0.3]
const FILES_MAX = 8
const PDF_MARK_WITHIN = 1024

/** A file that cannot be attached. */
export class NotAttached extends Error {
  constructor(
    readonly code: 'attach_kind' | 'attach_large' | 'attach_many',
    readonly file: string,
  ) {
    super(code)
  }
}

/** Return existing and new files; `data` is base64url. Throws NotAttached. */
export async function withFiles(existing: readonly Attachment[], files: Iterable<File>): Promise<Attachment[]> {
  let all = [...existing]
  for (const file of files) {
    if (all.length === FILES_MAX) throw new NotAttached('attach_many', file.name)
    all = withAttachment(all, await attachmentOf(file, roomBeside(all)))
  }
  return all
}

/** Add a file that is prepared already. Throws NotAttached. */
export function withAttachment(existing: readonly Attachment[], file: Attachment): Attachment[] {
  const all = [...existing, file]
  if (all.length > FILES_MAX) throw new NotAttached('attach_many', file.name)
  if (roomBeside(all) < 0) throw new NotAttached('attach_large', file.name)
  return all
}

function roomBeside(files: readonly Attachment[]): number {
  return files.reduce((room, { data }) => room - data.length * 0.75, TOTAL_BYTES)
}

/** Prepare one file. A picture takes half of the room at most, which leaves room for the next one. */
async function attachmentOf(file: File, room: number): Promise<Attachment> {
  const name = file.name.slice(0, 64) || 'file'
  if (isPicture({ mime: file.type })) {
    const jpeg = await smaller(file, Math.min(PICTURE_BYTES, room / 2))
    return { name, mime: 'image/jpeg', data: toBase64Url(jpeg) }
  }
  if (file.size > TOTAL_BYTES) throw new NotAttached('attach_large', name)
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (isPdf(bytes)) return { name, mime: 'application/pdf', data: toBase64Url(bytes) }
  if (!isText(bytes)) throw new NotAttached('attach_kind', name)
  return { name, mime: (file.type || 'text/plain').slice(0, 64), data: toBase64Url(bytes) }
}

/** Some programs write other bytes before the mark of a PDF. */
function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, PDF_MARK_WITHIN)).includes('%PDF-')
}

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

/** Return the picture as a JPEG of at most so many bytes. */
async function smaller(file: File, bytes: number): Promise<Uint8Array> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) throw new NotAttached('attach_kind', file.name)
  try {
    for (const longest of LONGEST_PX) {
      const canvas = scaled(image, longest)
      for (const quality of QUALITIES) {
        const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality })
        if (jpeg.size <= bytes) return new Uint8Array(await jpeg.arrayBuffer())
      }
    }
  } finally {
    image.close()
  }
  throw new NotAttached('attach_large', file.name)
}

/** Draw the picture on white: a JPEG has no transparency. */
function scaled(image: ImageBitmap, longest: number): OffscreenCanvas {
  const scale = Math.min(1, longest / Math.max(image.width, image.height))
  const size = (length: number) => Math.max(1, Math.round(length * scale))
  const canvas = new OffscreenCanvas(size(image.width), size(image.height))
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) return canvas
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

export function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
