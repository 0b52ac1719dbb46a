// Files that the owner keeps from the composer, and how far each is.
import { useRef, useState } from 'preact/hooks'
import type { Attachment } from '../protocol.gen'
import { say } from '../say'
import { keepFile, type Progress } from './keep_file'

interface FileOnItsWay {
  id: number
  name: string
  progress: Progress
  stop: () => void
}

export interface KeepingFiles {
  files: readonly FileOnItsWay[]
  keep: (file: File) => void
  close: (id: number) => void
}

/** A file that the page loses, because it is closed, is not sent on. */
export function useKeepingFiles(): KeepingFiles {
  const [files, setFiles] = useState<readonly FileOnItsWay[]>([])
  const last = useRef(0)
  const keep = (file: File) => {
    const id = (last.current += 1)
    const end = new AbortController()
    const tell = (progress: Progress) =>
      setFiles((all) => all.map((other) => (other.id === id ? { ...other, progress } : other)))
    const own = { id, name: file.name, progress: { step: 'arriving' as const, share: 0 }, stop: () => end.abort() }
    setFiles((all) => [...all, own])
    void keepFile(file, tell, end.signal)
  }
  const close = (id: number) => {
    files.find((file) => file.id === id)?.stop()
    setFiles((all) => all.filter((file) => file.id !== id))
  }
  return { files, keep, close }
}

/** The file of an attachment that holds all of it: a picture was scaled, the others were not. */
export function fileOf({ name, mime, data }: Attachment): File {
  const binary = atob(data.replaceAll('-', '+').replaceAll('_', '/'))
  return new File([Uint8Array.from(binary, (character) => character.charCodeAt(0))], name, { type: mime })
}

export function isKeepable({ type }: File): boolean {
  return !type.startsWith('image/')
}

export function KeepInstead({ file, onKeep }: { file: File; onKeep: (file: File) => void }) {
  return (
    <button
      id="keep-instead"
      type="button"
      class="button"
      title={say('keep_file_title', file.name)}
      onClick={() => onKeep(file)}
    >
      {say('keep_file_title', file.name)}
    </button>
  )
}

export function FilesOnTheirWay({ keeping }: { keeping: KeepingFiles }) {
  if (keeping.files.length === 0) return null
  return (
    <ul class="files on-their-way" aria-label={say('keep_files')}>
      {keeping.files.map(({ id, name, progress }) => (
        <li key={id} class="chip">
          <span class="name" role={progress.step === 'refused' ? 'alert' : 'status'}>
            {stepWords(name, progress)}
          </span>
          {isOnItsWay(progress) && <progress aria-hidden="true" value={barValue(progress)} />}
          <button
            type="button"
            class="button quiet"
            aria-label={say(isOnItsWay(progress) ? 'file_off' : 'file_seen', name)}
            title={say(isOnItsWay(progress) ? 'file_off' : 'file_seen', name)}
            onClick={() => keeping.close(id)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function isOnItsWay({ step }: Progress): boolean {
  return step !== 'kept' && step !== 'refused'
}

/** Without a value the bar shows that something goes on, and not how far it is. */
function barValue({ step, share }: Progress): number | undefined {
  return step === 'arriving' ? share : undefined
}

function stepWords(name: string, { step, share, message }: Progress): string {
  if (step === 'waiting') return say('file_waiting', name)
  if (step === 'reading') return say('file_reading', name)
  if (step === 'kept') return say('file_kept', name)
  if (step === 'refused') return message ?? say('did_not_work')
  return say('file_arriving', name, Math.round(share * 100))
}
