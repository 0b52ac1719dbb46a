import { useEffect, useRef, useState } from 'preact/hooks'
import type { Attachment, AttachmentInfo } from '../../protocol.gen'
import { say } from '../../say'
import { bytesOf, dataUrl, isPicture } from './encoded_file'
import { enlarge } from './enlarged'
import { host } from '../host'
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
  const own = data !== undefined && isPicture({ mime }) ? { name, mime, data } : null
  const isEmbedded = own !== null && host().embedsData
  const serverImage = usePicture(isEmbedded ? null : image, isConnected, isAnswered)
  const source = isEmbedded ? dataUrl(own) : serverImage
  if (source) return <Enlargeable name={name} image={source} />
  return own ? <Painted file={own} /> : <span class="chip">{name}</span>
}

/** A picture that this browser has, small. Painted where the page may show only what Penny serves. */
export function Painted({ file }: { file: Attachment }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (canvas.current) void paint(file, canvas.current).catch(() => setBroken(true))
  }, [file.data])
  if (isBroken) return <span class="chip">{file.name}</span>
  return (
    <span class="pictured">
      {host().embedsData ? (
        <img src={dataUrl(file)} alt={file.name} />
      ) : (
        <canvas ref={canvas} role="img" aria-label={file.name} />
      )}
    </span>
  )
}

async function paint(file: Attachment, canvas: HTMLCanvasElement): Promise<void> {
  const image = await createImageBitmap(new Blob([bytesOf(file)], { type: file.mime }))
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  image.close()
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

/** Pictures of the last turns sent from here. Without them a picture would vanish until the server's copy arrives. */
const sentFrom = new Map<string, readonly Attachment[]>()

export function useRemembered(turnId: string, files: readonly Attachment[] | undefined): void {
  useEffect(() => {
    if (!files) return
    sentFrom.set(turnId, files)
    for (const oldest of [...sentFrom.keys()].slice(0, -REMEMBERED_TURNS)) sentFrom.delete(oldest)
  }, [turnId])
}
