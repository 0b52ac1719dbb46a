import { useRef, useState } from 'preact/hooks'
import { isPicture } from '../conversation/message/encoded_file'
import { broughtBy, fileOfWords, insertWords, isTooMuch, PASTED } from './brought'
import { NotAttached, withAttachment, withFiles } from './encode_files'
import type { Attachment } from '../protocol.gen'
import { say } from '../say'
import { Painted } from '../conversation/message/files'
import { host } from '../conversation/host'
import { Icon } from '../conversation/icon'
import { fileOf, type KeepingFiles } from './keep_files'
import { useKept } from './use_kept'

export interface Attaching {
  files: Attachment[]
  problem: string
  /** What is too large for a message, but may be kept. */
  tooLarge: File | null
  /** Pictures that came with pasted words. */
  offered: File[]
  offer: (files: File[]) => void
  /** Words that are too long for a message go along as a file. */
  addWords: (words: string) => void
  add: (files: Iterable<File>) => Promise<void>
  /** Add a file that is already encoded. */
  addReady: (file: Attachment) => void
  remove: (place: number) => void
  closeProblem: () => void
  clear: () => void
}

export function useAttaching(): Attaching {
  const [files, setFiles] = useKept<Attachment[]>(host().drafts.files, [])
  const [problem, setProblem] = useState('')
  const [tooLarge, setTooLarge] = useState<File | null>(null)
  const [offered, offer] = useState<File[]>([])
  const trying = async (change: () => Attachment[] | Promise<Attachment[]>) => {
    try {
      setFiles(await change())
      setProblem('')
      setTooLarge(null)
    } catch (failure) {
      if (!(failure instanceof NotAttached)) throw failure
      setProblem(say(failure.code, failure.file))
    }
  }
  const add = async (more: Iterable<File>) => {
    const all = [...more]
    setTooLarge(null)
    offer([])
    await trying(() =>
      withFiles(files, all).catch((failure: unknown) => {
        if (failure instanceof NotAttached && failure.code === 'attach_large') {
          setTooLarge(all.find(({ name }) => name.startsWith(failure.file)) ?? null)
        }
        throw failure
      }),
    )
  }
  const addWords = (words: string) => void add([fileOfWords(words)])
  const addReady = (file: Attachment) => void trying(() => withAttachment(files, file))
  const remove = (place: number) => setFiles(files.filter((_, other) => other !== place))
  const closeProblem = () => {
    setProblem('')
    setTooLarge(null)
  }
  const clear = () => {
    setFiles([])
    offer([])
  }
  return { files, problem, tooLarge, offered, offer, addWords, add, addReady, remove, closeProblem, clear }
}

/** Pasted words are the browser's to insert, while they fit. */
export function takePasted(attaching: Attaching, event: ClipboardEvent, field: HTMLTextAreaElement): void {
  const { words, files } = broughtBy(event.clipboardData)
  attaching.offer(words ? files : [])
  if (words && !isTooMuch(field, words)) return
  if (!words && files.length === 0) return
  event.preventDefault()
  if (words) attaching.addWords(words)
  else void attaching.add(files)
}

/** `isOwn`: the words were dragged out of the field itself, and move. */
export function takeDropped(
  attaching: Attaching,
  event: DragEvent,
  field: HTMLTextAreaElement | null,
  isOwn: boolean,
): void {
  if (isOwn) return
  event.preventDefault()
  const { words, files } = broughtBy(event.dataTransfer)
  if (!words) {
    if (files.length > 0) void attaching.add(files)
    return
  }
  attaching.offer(files)
  if (!field || isTooMuch(field, words)) attaching.addWords(words)
  else insertWords(field, words)
}

/** What came with words and was left out, and what became of words that are too long. */
export function Beside({ attaching }: { attaching: Attaching }) {
  const { files, offered, add } = attaching
  return (
    <>
      {files.some(({ name }) => name === PASTED) && (
        <p class="aside" role="status">
          {say('paste_is_file')}
        </p>
      )}
      {offered.length > 0 && (
        <p class="aside">
          {say('paste_picture')}{' '}
          <button id="attach-offered" type="button" class="button quiet" onClick={() => void add(offered)}>
            {say('paste_attach')}
          </button>
        </p>
      )}
    </>
  )
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
      <button
        id="attach"
        type="button"
        class="button quiet"
        aria-label={say('attach')}
        title={say('attach')}
        onClick={() => field.current?.click()}
      >
        <Icon path="M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 4.8 4.8L9.4 17a1.7 1.7 0 0 1-2.4-2.4L14.6 7" />
      </button>
    </>
  )
}

export function Attached({ attaching, keeping }: { attaching: Attaching; keeping: KeepingFiles }) {
  const { files, remove } = attaching
  if (files.length === 0) return null
  return (
    <ul class="files" aria-label={say('attached')}>
      {files.map((file, place) => (
        <li key={place} class="chip">
          {isPicture(file) && <Painted file={file} />}
          <span class="name">{file.name}</span>
          {!isPicture(file) && (
            <button
              type="button"
              class="button quiet"
              data-action="keep"
              aria-label={say('keep_file_title', file.name)}
              title={say('keep_file_title', file.name)}
              onClick={() => keeping.keep(fileOf(file))}
            >
              {say('keep_file')}
            </button>
          )}
          <button
            type="button"
            class="button quiet"
            data-action="detach"
            aria-label={say('detach', file.name)}
            title={say('detach', file.name)}
            onClick={() => remove(place)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
