import { useEffect } from 'preact/hooks'
import { isPicture, toBase64 } from '../../../penny_site/static/penny/chat/attachments.js'
import type { Attachment, AttachmentInfo } from '../protocol.gen'
import { say } from '../say'
import { enlarge } from './enlarged'
import { usePicture } from './use_picture'

const REMEMBERED_TURNS = 8

type Shown = Pick<AttachmentInfo, 'name' | 'mime' | 'image'> & Partial<Pick<Attachment, 'data'>>

interface FilesProps {
  files: readonly Shown[] | null | undefined
  turnId: string | null | undefined
  isConnected: boolean
  /** The server has a picture of the file only after it answered. */
  isAnswered: boolean
}

export function Files({ files, turnId, isConnected, isAnswered }: FilesProps) {
  if (!files?.length) return null
  const own = sentFrom.get(turnId ?? '')
  return (
    <p class="files">
      {files.map((file, place) => (
        <Shown
          key={place}
          file={file}
          data={file.data ?? own?.[place]?.data}
          isConnected={isConnected}
          isAnswered={isAnswered}
        />
      ))}
    </p>
  )
}

function Shown({
  file,
  data,
  isConnected,
  isAnswered,
}: { file: Shown; data: string | undefined } & Omit<FilesProps, 'files' | 'turnId'>) {
  const { name, mime, image } = file
  const ownImage = data !== undefined && isPicture({ mime }) ? dataUrl({ mime, data }) : null
  const serverImage = usePicture(ownImage ? null : image, isConnected, isAnswered)
  const source = ownImage ?? serverImage
  return source ? <Enlargeable name={name} image={source} /> : <span class="chip">{name}</span>
}

/** A picture in the conversation. A click shows it large. */
export function Enlargeable({ name, image }: { name: string; image: string }) {
  return (
    <button
      type="button"
      class="pictured"
      aria-label={say('enlarge', name)}
      title={say('enlarge', name)}
      onClick={() => enlarge(name, image)}
    >
      <img src={image} alt={name} />
    </button>
  )
}

export function dataUrl(file: Pick<Attachment, 'mime' | 'data'>): string {
  return `data:${file.mime};base64,${toBase64(file)}`
}

/** Pictures of the last turns sent from here. Without them a picture would vanish until the server's copy arrives. */
const sentFrom = new Map<string, readonly Attachment[]>()

export function useRemembered(turnId: string, files: readonly Attachment[] | undefined): void {
  useEffect(() => {
    if (!files) return
    sentFrom.set(turnId, files)
    for (const oldest of [...sentFrom.keys()].slice(0, -REMEMBERED_TURNS)) sentFrom.delete(oldest)
  }, [turnId])
}
