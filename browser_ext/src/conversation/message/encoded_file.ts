// A file as it goes over the wire: base64url of its bytes.
import type { Attachment } from '../../protocol.gen'

const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

export function isPicture({ mime }: Pick<Attachment, 'mime'>): boolean {
  return PICTURES.includes(mime)
}

/** Return the base64 of a file as data: URLs have it. */
function toBase64({ data }: Pick<Attachment, 'data'>): string {
  return data.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (data.length % 4)) % 4)
}

export function dataUrl(file: Pick<Attachment, 'mime' | 'data'>): string {
  return `data:${file.mime};base64,${toBase64(file)}`
}

export function bytesOf(file: Pick<Attachment, 'data'>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(toBase64(file)), (letter) => letter.charCodeAt(0))
}
