import { useRef, useState } from 'preact/hooks'
import { isPicture, NotAttached, withAttachment, withFiles } from '../../../penny_site/static/penny/chat/attachments.js'
import type { Attachment } from '../protocol.gen'
import { say } from '../say'
import { stored } from '../state/stored'
import { dataUrl } from '../conversation/files'
import { useKept } from './use_kept'

export interface Attaching {
  files: Attachment[]
  problem: string
  add: (files: Iterable<File>) => Promise<void>
  /** Add a file that is already encoded. */
  addReady: (file: Attachment) => void
  remove: (place: number) => void
  clear: () => void
}

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
  const addReady = (file: Attachment) => void trying(() => withAttachment(files, file))
  const remove = (place: number) => setFiles(files.filter((_, other) => other !== place))
  return { files, problem, add, addReady, remove, clear: () => setFiles([]) }
}

export function attachPasted(attaching: Attaching, event: ClipboardEvent): void {
  const files = [...(event.clipboardData?.files ?? [])]
  if (files.length === 0) return
  event.preventDefault()
  void attaching.add(files)
}

export function attachDropped(attaching: Attaching, event: DragEvent): void {
  event.preventDefault()
  void attaching.add([...(event.dataTransfer?.files ?? [])])
}

export function AttachButton({ attaching }: { attaching: Attaching }) {
  const field = useRef<HTMLInputElement>(null)
  const onChange = () => {
    const picked = [...(field.current?.files ?? [])]
    if (field.current) field.current.value = ''
    void attaching.add(picked)
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

export function Attached({ attaching }: { attaching: Attaching }) {
  const { files, remove } = attaching
  if (files.length === 0) return null
  return (
    <ul class="files" aria-label={say('attached')}>
      {files.map(({ name, ...file }, place) => (
        <li key={place} class="chip">
          {isPicture(file) && <Pictured image={dataUrl(file)} />}
          <span class="name">{name}</span>
          <button
            type="button"
            class="button quiet"
            data-action="detach"
            aria-label={say('detach', name)}
            title={say('detach', name)}
            onClick={() => remove(place)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Pictured({ image }: { image: string }) {
  return (
    <span class="pictured">
      <img src={image} alt="" />
    </span>
  )
}
