import { useEffect, useRef, useState } from 'preact/hooks'
import { isPicture, NotAttached, toBase64, withAttachment, withFiles } from '../../../penny_site/static/penny/chat/attachments.js'
import type { Attachment, AttachmentInfo } from '../protocol.gen'
import { say } from '../say'
import { stored } from '../state/stored'
import { enlarge } from '../conversation/enlarged'
import { useKept } from './use_kept'
import { usePicture } from '../conversation/use_picture'

const REMEMBERED_TURNS = 8

export interface Attaching {
  files: Attachment[]
  problem: string
  add: (files: Iterable<File>) => Promise<void>
  /** One that is ready to go. */
  put: (file: Attachment) => void
  remove: (place: number) => void
  clear: () => void
}

/** The files that go with the next message. */
export function useAttaching(): Attaching {
  const [files, setFiles] = useKept<Attachment[]>(stored.draftFiles, [])
  const [problem, setProblem] = useState('')
  const trying = async (change: () => Attachment[] | Promise<Attachment[]>) => {
    try {
      setFiles(await change())
      setProblem('')
    } catch (failure) {
      if (!(failure instanceof NotAttached)) throw failure
      setProblem(say(failure.code, failure.file))
    }
  }
  const add = (more: Iterable<File>) => trying(() => withFiles(files, more))
  const put = (file: Attachment) => void trying(() => withAttachment(files, file))
  const remove = (place: number) => setFiles(files.filter((_, other) => other !== place))
  return { files, problem, add, put, remove, clear: () => setFiles([]) }
}

export function AttachButton({ attaching }: { attaching: Attaching }) {
  const field = useRef<HTMLInputElement>(null)
  const onChange = () => {
    const chosen = [...(field.current?.files ?? [])]
    if (field.current) field.current.value = ''
    void attaching.add(chosen)
  }
  return (
    <>
      <input id="attach-files" ref={field} type="file" multiple hidden onChange={onChange} />
      <button id="attach" type="button" class="button quiet" onClick={() => field.current?.click()}>
        {say('attach')}
      </button>
    </>
  )
}

/** Each with a button that leaves it out. */
export function Attached({ attaching }: { attaching: Attaching }) {
  const { files, remove } = attaching
  if (files.length === 0) return null
  return (
    <ul class="files" aria-label={say('attached')}>
      {files.map(({ name, ...file }, place) => (
        <li key={place} class="chip">
          {isPicture(file) && <Pictured image={dataUrl(file)} />}
          <span class="name">{name}</span>
          <button type="button" class="button quiet" data-action="detach" aria-label={say('detach', name)} title={say('detach', name)} onClick={() => remove(place)}>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

type Shown = Pick<AttachmentInfo, 'name' | 'mime' | 'image'> & Partial<Pick<Attachment, 'data'>>

interface FilesProps {
  files: readonly Shown[] | null | undefined
  turnId: string | null | undefined
  isConnected: boolean
  /** The server has a picture to show as soon as it has answered. */
  isAnswered: boolean
}

/** What a message shows of the files that came with it. */
export function Files({ files, turnId, isConnected, isAnswered }: FilesProps) {
  if (!files?.length) return null
  const own = sentFrom.get(turnId ?? '')
  return (
    <p class="files">
      {files.map((file, place) => (
        <Shown key={place} file={file} data={file.data ?? own?.[place]?.data} isConnected={isConnected} isAnswered={isAnswered} />
      ))}
    </p>
  )
}

function Shown({ file, data, isConnected, isAnswered }: { file: Shown; data: string | undefined } & Omit<FilesProps, 'files' | 'turnId'>) {
  const { name, mime, image } = file
  const known = data !== undefined && isPicture({ mime }) ? dataUrl({ mime, data }) : null
  const fetched = usePicture(known ? null : image, isConnected, isAnswered)
  const shown = known ?? fetched
  return shown ? <Enlargeable name={name} image={shown} /> : <span class="chip">{name}</span>
}

/** Beside its name. */
function Pictured({ image }: { image: string }) {
  return (
    <span class="pictured">
      <img src={image} alt="" />
    </span>
  )
}

/** As it stands in the conversation: pressed, it is shown large. */
export function Enlargeable({ name, image }: { name: string; image: string }) {
  return (
    <button type="button" class="pictured" aria-label={say('enlarge', name)} title={say('enlarge', name)} onClick={() => enlarge(name, image)}>
      <img src={image} alt={name} />
    </button>
  )
}

function dataUrl(file: Pick<Attachment, 'mime' | 'data'>): string {
  return `data:${file.mime};base64,${toBase64(file)}`
}

/** The pictures of the last turns that were sent from here, so that none goes away and comes back while it is answered. */
const sentFrom = new Map<string, readonly Attachment[]>()

export function useRemembered(turnId: string, files: readonly Attachment[] | undefined): void {
  useEffect(() => {
    if (!files) return
    sentFrom.set(turnId, files)
    for (const oldest of [...sentFrom.keys()].slice(0, -REMEMBERED_TURNS)) sentFrom.delete(oldest)
  }, [turnId])
}
