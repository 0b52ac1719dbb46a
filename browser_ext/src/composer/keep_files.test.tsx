// @vitest-environment page
// Files that are kept from the composer. The server is played by the test: it counts the parts that it has.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { setHost, type Host } from '../conversation/host'
import type { FileState } from '../protocol.gen'
import type { ConversationCommand, Outcome, PanelCommandOf } from '../state/panel_state'
import { FilesOnTheirWay, useKeepingFiles, type KeepingFiles } from './keep_files'

type Frame = PanelCommandOf<'send_file'>['frame']
let frames: Frame[]
let answer: (frame: Frame) => Outcome
let keeping: KeepingFiles

const PART = 252 * 1024
const text = () => document.querySelector('.on-their-way .name')?.textContent
const bytesOf = (data: string) =>
  Uint8Array.from(atob(data.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
const state = (ref: string, step: FileState['step'], parts: number, message?: string): Outcome => ({
  ok: true,
  file: { ref, step, parts, ...(message && { message }) },
})

function fileWith(bytes: Uint8Array<ArrayBuffer>, name: string): File {
  return Object.assign(new File([bytes], name), { arrayBuffer: async () => bytes.buffer })
}

function Page() {
  keeping = useKeepingFiles()
  return <FilesOnTheirWay keeping={keeping} />
}

function takeAll(): (frame: Frame) => Outcome {
  const parts: string[] = []
  let step: FileState['step'] = 'arriving'
  return (frame) => {
    if (frame.type === 'file.part') parts[frame.index] = frame.data
    if (frame.type === 'file.end') step = 'reading'
    else if (step === 'reading') step = 'kept'
    return state(frame.ref, step, parts.length)
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  frames = []
  answer = takeAll()
  const send = async (command: ConversationCommand): Promise<Outcome> => {
    if (command.type !== 'send_file') return { ok: true }
    frames.push(command.frame)
    return answer(command.frame)
  }
  setHost({ send } as Host)
  document.body.innerHTML = '<main></main>'
  render(<Page />, document.querySelector('main')!)
  return () => vi.useRealTimers()
})

it('sends a file part after part, and says when it is kept', async () => {
  const bytes = Uint8Array.from({ length: 2 * PART + 5 }, (_, place) => place % 251)
  keeping.keep(fileWith(bytes, 'rules.pdf'))
  await vi.waitFor(() => expect(text()).toMatch(/reads it/))
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitFor(() => expect(text()).toBe('rules.pdf is kept.'))
  expect(frames.map(({ type }) => type)).toEqual([
    'file.begin',
    'file.part',
    'file.part',
    'file.part',
    'file.end',
    'file.begin',
  ])
  const sent = frames.flatMap((frame) => (frame.type === 'file.part' ? [...bytesOf(frame.data)] : []))
  expect(sent).toEqual([...bytes])
  expect(document.querySelector('progress')).toBeNull()
})

it('goes on where the server stands after the connection was lost', async () => {
  const whole = takeAll()
  let isAway = false
  answer = (frame) => {
    if (frame.type === 'file.part' && frame.index === 1 && !isAway) {
      isAway = true
      return { ok: false, message: 'lost', is_lost: true }
    }
    return whole(frame)
  }
  keeping.keep(fileWith(new Uint8Array(2 * PART), 'a.txt'))
  await vi.waitFor(() => expect(text()).toMatch(/waits for the connection/))
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitFor(() => expect(text()).toMatch(/reads it/))
  expect(frames.map((frame) => (frame.type === 'file.part' ? frame.index : frame.type))).toEqual([
    'file.begin',
    0,
    1,
    'file.begin',
    1,
    'file.end',
  ])
})

it('gives up after ten minutes without a server', async () => {
  answer = () => ({ ok: false, message: 'offline', is_lost: true })
  keeping.keep(fileWith(new Uint8Array([120]), 'a.txt'))
  await vi.waitFor(() => expect(text()).toMatch(/waits for/))
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  await vi.waitFor(() => expect(text()).toMatch(/not sent in ten minutes/))
})

it.each([
  ['a refusal of the server', () => ({ ok: false as const, message: 'Free some room.' }), 'Free some room.'],
  [
    'a file that nobody can read',
    ({ ref }: Frame) => state(ref, 'refused', 1, '“a.txt” has no text.'),
    '“a.txt” has no text.',
  ],
])('says %s, and sends no more', async (_, refuse, words) => {
  answer = refuse
  keeping.keep(fileWith(new Uint8Array([120]), 'a.txt'))
  await vi.waitFor(() => expect(text()).toBe(words))
  expect(document.querySelector('[role=alert]')?.textContent).toBe(words)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(frames).toHaveLength(1)
})

it('sends nothing of a file that is too large', async () => {
  keeping.keep({ name: 'film.mov', size: 26_214_401 } as File)
  await vi.waitFor(() => expect(text()).toMatch(/larger than 25 MB/))
  expect(frames).toEqual([])
})

it('sends no more of a file that the owner takes back', async () => {
  answer = ({ ref }) => state(ref, 'reading', 1)
  keeping.keep(fileWith(new Uint8Array([120]), 'a.txt'))
  await vi.waitFor(() => expect(text()).toMatch(/reads it/))
  document.querySelector('button')?.click()
  const count = frames.length
  await vi.advanceTimersByTimeAsync(5_000)
  expect(frames).toHaveLength(count)
  expect(document.querySelector('.on-their-way')).toBeNull()
})
