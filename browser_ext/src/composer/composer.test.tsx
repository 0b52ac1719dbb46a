// @vitest-environment page
// Where the owner writes. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome } from '../state/panel_state'
import type { Proposal } from '../state/proposal'
import type { Attachment } from '../protocol.gen'
import { forgetStored, stored } from '../state/stored'
import {
  bring,
  closeBox,
  drawPictures,
  emptyPage,
  field,
  fileNames,
  inWindow,
  pictureFile,
  SERVER,
  showBox,
  typeText,
} from './fake_box'
import { sendThroughComposer } from '../conversation/into_composer'
import { UnsentItem } from '../conversation/message/unsent_item'

const sentMessages = () =>
  vi
    .mocked(fakeBrowser.runtime.sendMessage)
    .mock.calls.map(([command]) => command as { type: string; text: string; attachments?: Attachment[] })
    .filter(({ type }) => type === 'send')

beforeEach(emptyPage)

it('keeps the focus when something is sent, and leaves it to who goes elsewhere meanwhile', async () => {
  const answers: ((outcome: Outcome) => void)[] = []
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
  const elsewhere = document.createElement('button')
  document.body.append(elsewhere)
  showBox()
  typeText('Hello')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  document.querySelector<HTMLButtonElement>('#send')?.click()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  expect(document.activeElement).toBe(field())
  elsewhere.focus()
  answers[0]?.({ ok: true })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.activeElement).toBe(elsewhere)
})

it('asks an example at once, and only puts it into the box where something waits there', async () => {
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockResolvedValue({ ok: true })
  showBox()
  await vi.waitFor(() => expect(field()).not.toBeNull())
  sendThroughComposer('How hot?')
  await vi.waitFor(() => expect(sentMessages().map(({ text }) => text)).toEqual(['How hot?']))
  expect(field().value).toBe('')
  typeText('Mine')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  sendThroughComposer('How hot?')
  await vi.waitFor(() => expect(field().value).toBe('How hot?'))
  expect(document.querySelector('.aside')).not.toBeNull()
  expect(sentMessages()).toHaveLength(1)
})

it('gives back what could not be sent, before what was typed since', async () => {
  const answers: ((outcome: Outcome) => void)[] = []
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
  showBox()
  typeText('First')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  document.querySelector<HTMLElement>('#send')?.click()
  await vi.waitFor(() => expect(field().value).toBe(''))
  typeText('Second')
  answers.at(-1)?.({ ok: false, message: 'It could not be sent.' })
  await vi.waitFor(() => expect(field().value).toBe('First\nSecond'))
  expect(document.querySelector('[role="alert"]')?.textContent).toBe('It could not be sent.')
})

it('keeps a draft, but none where everything was forgotten while it was typed', async () => {
  await stored.pairing.setValue({ server: SERVER, device_id: 'd', server_public_key: 'k', label: 'Desk' })
  showBox()
  typeText('Kept')
  await vi.waitFor(async () => expect(await stored.draft.getValue()).toBe('Kept'))
  const reading = vi.spyOn(stored.pairing, 'getValue')
  typeText('Forgotten')
  await forgetStored()
  await vi.waitFor(() => expect(reading).toHaveResolved())
  expect(await stored.draft.getValue()).toBe('')
})

it('keeps the last words of a draft where it is closed at once, and waits for nothing where its page goes', async () => {
  await stored.pairing.setValue({ server: SERVER, device_id: 'd', server_public_key: 'k', label: 'Desk' })
  showBox()
  typeText('The last words')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  closeBox()
  await vi.waitFor(async () => expect(await stored.draft.getValue()).toBe('The last words'))
  showBox()
  typeText('And more')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  await new Promise((resolve) => setTimeout(resolve, 20)) // effects come after drawing
  vi.spyOn(stored.pairing, 'getValue').mockReturnValue(new Promise(() => undefined))
  dispatchEvent(new Event('pagehide'))
  expect(await stored.draft.getValue()).toBe('And more')
})

it('asks to remember a passage in these words alone, and brings the draft back afterwards', async () => {
  const commands = background()
  showBox()
  typeText('Half a question')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  showBox({
    proposal: {
      id: 'a',
      windowId: 7,
      page: { url: 'https://a.example/', title: 'A', text: 'x', links: [], extracted_with: 'text', truncated: false },
      text: 'Remember this.',
    },
  })
  await vi.waitFor(() => expect(field().value).toBe('Remember this.'))
  expect(document.querySelector('.aside')?.textContent).toBe('Your draft comes back when this is sent or deleted.')
  document.querySelector<HTMLElement>('#send')?.click()
  await vi.waitFor(() => expect(field().value).toBe('Half a question'))
  expect(commands.filter(({ type }) => type === 'send')).toMatchObject([
    { text: 'Remember this.', page: { title: 'A' } },
  ])
  expect(document.querySelector('.aside')).toBeNull()
})

it.each(['paste', 'drop'] as const)(
  'takes a picture by %s, makes it small, and sends it without a word',
  async (way) => {
    vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockResolvedValue({ ok: true })
    drawPictures((longest) => longest * 100)
    showBox()
    bring(way, [pictureFile('stove.png')])
    await vi.waitFor(() => expect(fileNames()).toEqual(['stove.png']))
    expect(document.querySelector<HTMLImageElement>('ul.files img')?.src).toMatch(/^data:image\/jpeg;base64,A/)
    document.querySelector<HTMLElement>('#send')?.click()
    await vi.waitFor(() =>
      expect(sentMessages()).toMatchObject([
        { text: 'What is this?', attachments: [{ name: 'stove.png', mime: 'image/jpeg' }] },
      ]),
    )
    await vi.waitFor(() => expect(fileNames()).toEqual([]))
  },
)

it('leaves room for more pictures, each smaller than the one before, and says when there is none', async () => {
  drawPictures((longest, quality) => Math.max(longest * quality * 200, 60_000))
  showBox()
  bring('paste', [pictureFile('a.png'), pictureFile('b.png')])
  await vi.waitFor(() => expect(fileNames()).toEqual(['a.png', 'b.png']))
  const [first, second] = [...document.querySelectorAll<HTMLImageElement>('ul.files img')].map(({ src }) => src.length)
  expect(second).toBeLessThan(first ?? 0)
  bring('paste', [pictureFile('c.png')])
  await vi.waitFor(() => expect(document.querySelector('[role="alert"]')?.textContent).toContain('c.png is too large'))
  expect(fileNames()).toEqual(['a.png', 'b.png'])
})

it('takes what the browser says is a picture and is none for what it is', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no image')))
  showBox()
  bring('drop', [pictureFile('broken.png')])
  await vi.waitFor(() =>
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('broken.png is no text, PDF or picture'),
  )
})

it('takes a PDF by its first bytes', async () => {
  showBox()
  const bytes = new Uint8Array([0x0a, 0x25, 0x50, 0x44, 0x46, 0x2d, 0xff, 0xfe])
  bring('drop', [Object.assign(new File([bytes], 'rules.pdf'), { arrayBuffer: async () => bytes.buffer })])
  await vi.waitFor(() => expect(fileNames()).toEqual(['rules.pdf']))
})

it('says what can be done with a file of another kind, and nothing that the panel refuses', async () => {
  showBox()
  const bytes = new Uint8Array([0x50, 0x4b, 0xff, 0xfe])
  bring('drop', [Object.assign(new File([bytes], 'rules.zip'), { arrayBuffer: async () => bytes.buffer })])
  const words = 'rules.zip is no text, PDF or picture. Words of it can be copied into the box.'
  await vi.waitFor(() => expect(document.querySelector('[role="alert"]')?.textContent).toBe(words))
})

it('gives back the files of a draft when the panel was closed', async () => {
  await stored.pairing.setValue({ server: SERVER, device_id: 'd', server_public_key: 'k', label: 'Desk' })
  drawPictures(() => 100)
  showBox()
  bring('paste', [pictureFile('kept.png')])
  await vi.waitFor(async () =>
    expect((await stored.draftFiles.getValue()).map(({ name }) => name)).toEqual(['kept.png']),
  )
  closeBox()
  showBox()
  await vi.waitFor(() => expect(fileNames()).toEqual(['kept.png']))
  document.querySelector<HTMLElement>('[data-action="detach"]')?.click()
  await vi.waitFor(async () => expect(await stored.draftFiles.getValue()).toEqual([]))
})

it('gives back the passage of a draft, and none once it was sent', async () => {
  await stored.pairing.setValue({ server: SERVER, device_id: 'd', server_public_key: 'k', label: 'Desk' })
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockResolvedValue({ ok: true })
  const page = {
    url: 'https://shop.example/mug',
    title: 'A mug',
    text: 'Holds 250 ml.',
    links: [],
    extracted_with: 'text',
    truncated: false,
  } as const
  showBox({ proposal: { id: 'a', windowId: 7, page: { ...page, links: [] } } })
  await vi.waitFor(async () => expect((await stored.draftPassage.getValue())?.text).toBe('Holds 250 ml.'))
  closeBox()
  showBox()
  await vi.waitFor(() => expect(document.querySelector('.composer')?.textContent).toContain('A mug'))
  typeText('How large?')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  document.querySelector<HTMLElement>('#send')?.click()
  await vi.waitFor(async () => expect(await stored.draftPassage.getValue()).toBeNull())
})

/** A background that has one proposal to give, and reads tabs. */
function background(): { type: string; tab_id?: number; page?: { title: string } }[] {
  const commands: { type: string; tab_id?: number }[] = []
  let isTaken = false
  const answer = (request: { type: string; tab_id?: number }) => {
    commands.push(request)
    if (request.type === 'read_tab')
      return { ok: true, page: { title: `tab ${request.tab_id}`, url: 'https://a.example/', text: 'x', links: [] } }
    if (request.type !== 'take_proposal') return { ok: true }
    const ok = !isTaken
    isTaken = true
    return { ok, message: '' }
  }
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((async (request: { type: string }) =>
    answer(request)) as never)
  return commands
}

it('sums up the tab that was chosen, in one panel of its window and in no other window', async () => {
  const commands = background()
  const proposal: Proposal = { id: 'a', windowId: 7, tabId: 3, wants: 'summary' }
  inWindow(8, { id: 4, url: 'https://bank.example/' })
  showBox({ proposal })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(commands).toEqual([])
  closeBox()
  inWindow(7, { id: 5, url: 'https://other.example/' })
  document.body.insertAdjacentHTML('beforeend', '<div id="beside"></div>')
  const beside = document.getElementById('beside')
  showBox({ proposal })
  if (beside) showBox({ proposal }, beside)
  await vi.waitFor(() =>
    expect(commands.filter(({ type }) => type === 'send')).toMatchObject([{ page: { title: 'tab 3' } }]),
  )
  if (beside) render(null, beside)
  expect(commands.map(({ type }) => type).toSorted()).toEqual(['read_tab', 'send', 'take_proposal', 'take_proposal'])
})

it('includes the page that was chosen, or says that it is no longer in front', async () => {
  const commands = background()
  inWindow(7, { id: 5, url: 'https://other.example/' })
  showBox({ proposal: { id: 'a', windowId: 7, tabId: 3, wants: 'page' } })
  await vi.waitFor(() => expect(document.querySelector('[role="alert"]')?.textContent).toContain('no longer in front'))
  expect(commands.map(({ type }) => type)).toEqual(['take_proposal'])
})

it('reads nothing of the page beside it before its chip is ticked, also while the owner writes', async () => {
  const commands = background()
  inWindow(7, { id: 5, url: 'https://other.example/', title: 'Night trains', favIconUrl: 'data:image/png;base64,AA' })
  showBox()
  const chip = () => document.querySelector<HTMLInputElement>('.page-chip input')
  await vi.waitFor(() => expect(chip()?.checked).toBe(false))
  expect(document.querySelector('.page-chip')?.textContent).toContain('Night trains')
  expect(document.querySelector('.page-chip img')?.getAttribute('src')).toBe('data:image/png;base64,AA')
  typeText('What is this?')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  expect(commands).toEqual([])
  chip()?.click()
  await vi.waitFor(() => expect(commands).toMatchObject([{ type: 'read_tab', tab_id: 5 }]))
  await vi.waitFor(() => expect(document.querySelector('#share-look')).not.toBeNull())
})

it('shows no chip where nothing can be included', async () => {
  inWindow(7, { id: 5, url: 'about:blank' })
  showBox()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.querySelector('.page-chip, .page-acts')).toBeNull()
})

it('shows a picture while it waits to be sent', () => {
  const attachments = [
    { name: 'stove.jpg', mime: 'image/jpeg', data: '_-8' },
    { name: 'notes.txt', mime: 'text/plain', data: 'YQ' },
  ]
  const entry = {
    turn_id: 't',
    text: 'What is this?',
    attachments,
    created_at: '',
    state: 'queued',
    strikes: 0,
  } as const
  const holder = document.getElementById('app')
  if (holder) render(<UnsentItem entry={entry} isConnected={false} />, holder)
  const image = document.querySelector<HTMLImageElement>('.files img')
  expect([image?.alt, image?.src]).toEqual(['stove.jpg', 'data:image/jpeg;base64,/+8='])
  expect(document.querySelector('.files .chip')?.textContent).toBe('notes.txt')
})
