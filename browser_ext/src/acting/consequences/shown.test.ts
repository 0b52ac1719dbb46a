// @vitest-environment page
// @vitest-environment-options { "url": "https://shop.example/checkout?step=3" }
import { beforeEach, describe, expect, it } from 'vitest'
import { hashFilesAround } from './file_hashes'
import type { Kind } from './kinds'
import { type Shown, shownOf } from './shown'
import { consequencesOf } from './verdict'

const PAGE = `
<div role="dialog" id="dialog"><h2 id="title">Pay € 12.50 now?</h2>
<form id="form" method="post" action="/orders?token=abc123&step=4">
  <label>Name <input name="name" id="name" value="Ann"></label>
  <label for="mail">Mail</label><input name="mail" id="mail" type="email" value="ann@mail.example">
  <input name="to" id="to" aria-label="Recipient" value="Bob">
  <textarea name="note" id="note" placeholder="Note">Leave at the door</textarea>
  <select name="speed" id="speed" aria-label="Speed"><option value="1" selected>Slow</option><option value="2">Fast</option></select>
  <label><input type="checkbox" name="gift" id="gift"> Gift</label>
  <label><input type="checkbox" name="terms" id="terms" checked> Terms</label>
  <input type="radio" name="pay" id="card" value="card" aria-label="Card" checked>
  <input type="radio" name="pay" id="bill" value="bill" aria-label="Bill">
  <input type="hidden" name="cart" id="cart" value="77">
  <input type="password" name="pin" id="pin" aria-label="PIN" value="9182">
  <input type="file" name="doc" id="doc" aria-label="Proof">
  <div contenteditable="true" id="wish" aria-label="Wish">No onions</div>
  <button id="go">Place order</button><button id="other" formaction="/gift">Place order</button>
</form></div><p id="far">Far away</p>`
const NAME = 'Place order'
const find = <T extends HTMLElement>(id: string): T => document.querySelector(`#${id}`) as unknown as T
const put = (id: string, value: string) => (find<HTMLInputElement>(id).value = value)

function attach(...files: File[]): void {
  Object.defineProperty(find('doc'), 'files', { value: files, configurable: true })
}

function showOf(id = 'go', name = NAME, documentId = 'd1', kinds?: Kind[]): Shown | null {
  const target = { element: find(id), name }
  const verdict = consequencesOf(target, { do: 'click' }, 'shop.example')
  return shownOf(target, kinds ? { ...verdict, kinds } : verdict, documentId)
}

beforeEach(async () => {
  document.body.innerHTML = PAGE
  attach(new File(['one'], 'proof.pdf'))
  await hashFilesAround(find('go'))
})

it('shows every field that is sent, without credentials and secrets of the address', () => {
  const { digest, ...shown } = showOf() ?? {}
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(shown).toEqual({
    kinds: ['buy', 'sign_in', 'credential', 'upload', 'submit'],
    certainty: 'sure',
    host: 'shop.example',
    to: 'shop.example/orders',
    role: 'button',
    button: 'Place order',
    fields: [
      { label: 'Name', name: 'name', value: 'Ann', more: 0 },
      { label: 'Mail', name: 'mail', value: 'ann@mail.example', more: 0 },
      { label: 'Recipient', name: 'to', value: 'Bob', more: 0 },
      { label: 'Note', name: 'note', value: 'Leave at the door', more: 0 },
      { label: 'Speed', name: 'speed', value: 'Slow', sent: '1', more: 0 },
      { label: 'Terms', name: 'terms', value: 'on', more: 0 },
      { label: 'Card', name: 'pay', value: 'card', more: 0 },
      { label: 'PIN', name: 'pin', value: '••••', more: 0 },
      { label: 'Wish', name: '', value: 'No onions', more: 0 },
      { label: 'cart', name: 'cart', value: '77', more: 0, is_hidden: true },
    ],
    more_fields: 0,
    more_hidden: 0,
    files: [{ name: 'proof.pdf', size: 3 }],
    amount: '€ 12.50',
    dialog: expect.stringContaining('Pay € 12.50 now?') as string,
  })
})

const CHANGES: [string, () => void][] = [
  ['a name', () => put('name', 'Eve')],
  ['a name by a letter', () => put('name', 'Anne')],
  ['a name by case', () => put('name', 'ann')],
  ['a name by a space', () => put('name', 'Ann ')],
  ['an emptied field', () => put('name', '')],
  ['the mail', () => put('mail', 'eve@mail.example')],
  ['the recipient', () => put('to', 'Eve')],
  ['the recipient by an invisible character', () => put('to', 'Bob\u200b')],
  ['the recipient by a like letter', () => put('to', 'Bоb')],
  ['the note', () => put('note', 'Leave at the gate')],
  ['the end of a long note', () => put('note', 'x'.repeat(5_000))],
  ['the choice', () => (find<HTMLSelectElement>('speed').selectedIndex = 1)],
  ['the value of a choice', () => find('speed').firstElementChild?.setAttribute('value', '9')],
  [
    'the text of a choice',
    () => (find<HTMLSelectElement>('speed').options[0] as HTMLOptionElement).replaceChildren('Free'),
  ],
  ['a new tick', () => (find<HTMLInputElement>('gift').checked = true)],
  ['a removed tick', () => (find<HTMLInputElement>('terms').checked = false)],
  ['the value of a tick', () => find('terms').setAttribute('value', 'all')],
  ['another radio', () => (find<HTMLInputElement>('bill').checked = true)],
  ['a hidden value', () => put('cart', '78')],
  ['a password', () => put('pin', '0000')],
  ['the text of an editor', () => (find('wish').textContent = 'Onions')],
  ['the name of a field', () => find('to').setAttribute('name', 'cc')],
  ['the label of a field', () => find('to').setAttribute('aria-label', 'Sender')],
  ['the text of a label', () => (find('form').querySelector('[for=mail]') as HTMLElement).replaceChildren('Phone')],
  ['a new field', () => find('form').append(fieldOf('text', 'bcc', 'eve'))],
  ['a new hidden field', () => find('form').append(fieldOf('hidden', 'amount', '900'))],
  ['a field of another place', () => document.body.append(fieldOf('text', 'bcc', 'eve', 'form'))],
  ['a removed field', () => find('note').remove()],
  ['a disabled field', () => find('note').setAttribute('disabled', '')],
  ['a removed hidden field', () => find('cart').remove()],
  ['the order of fields', () => find('form').prepend(find('to'))],
  ['the address', () => find('form').setAttribute('action', '/donate')],
  ['the query of the address', () => find('form').setAttribute('action', '/orders?token=abc123&step=5')],
  ['the host of the address', () => find('form').setAttribute('action', 'https://evil.example/orders')],
  ['the address of the button', () => find('go').setAttribute('formaction', '/gift')],
  ['the question of the dialog', () => (find('title').textContent = 'Pay € 1.25 now?')],
  ['the role of the button', () => find('go').setAttribute('role', 'link')],
  ['the name of a file', () => attachHashed(new File(['one'], 'other.pdf'))],
  ['the size of a file', () => attachHashed(new File(['one more'], 'proof.pdf'))],
  ['no file', () => attach()],
]

function fieldOf(type: string, name: string, value: string, form?: string): HTMLInputElement {
  const field = document.createElement('input')
  Object.assign(field, { type, name, value })
  if (form) field.setAttribute('form', form)
  return field
}

async function attachHashed(...files: File[]): Promise<void> {
  attach(...files)
  await hashFilesAround(find('go'))
}

describe('between question and act', () => {
  it.each(CHANGES)('changes the digest: %s', async (_what, change) => {
    const before = showOf()?.digest
    await change()
    const after = showOf()?.digest
    expect([before, after]).toEqual([expect.any(String), expect.any(String)])
    expect(after).not.toBe(before)
  })

  it('so do another document, button, name and kind, and the content of a file of the same size', async () => {
    const others = [
      showOf(),
      showOf('go', NAME, 'd2'),
      showOf('other'),
      showOf('go', 'Pay now'),
      showOf('go', NAME, 'd1', ['send']),
    ]
    await attachHashed(new File(['two'], 'proof.pdf'))
    others.push(showOf())
    expect(new Set(others.map((shown) => shown?.digest)).size).toBe(6)
  })

  it.each<[string, () => void]>([
    ['nothing', () => undefined],
    ['a class', () => find('form').classList.add('busy')],
    ['a style', () => find('go').setAttribute('style', 'color: red')],
    ['an unticked box that stays so', () => find('gift').setAttribute('data-seen', '1')],
    ['text elsewhere', () => (find('far').textContent = 'Nearer')],
    ['a new element elsewhere', () => document.body.append(document.createElement('footer'))],
    ['the focus', () => find('name').focus()],
    ['the title of the page', () => (document.title = 'Checkout (2)')],
    ['the same value anew', () => put('name', 'Ann')],
    ['spaces in the dialog', () => find('title').append('  \n ')],
    ['an option that is not chosen', () => find('speed').lastElementChild?.setAttribute('data-stock', '3')],
    ['a wrapper of the form', () => find('dialog').append(document.createElement('span'))],
  ])('keeps the digest: %s', (_what, change) => {
    const before = showOf()?.digest
    change()
    expect(showOf()?.digest).toBe(before)
  })
})

describe('more than can be shown', () => {
  it('is refused: a file without hash, too many fields, a value without end', () => {
    attach(new File(['late'], 'late.pdf'))
    expect(showOf()).toBeNull()
    attach()
    put('note', 'x'.repeat(20_001))
    expect(showOf()).toBeNull()
    put('note', '')
    expect(showOf()).not.toBeNull()
    find('form').insertAdjacentHTML('beforeend', '<input name="n" value="1">'.repeat(600))
    expect(showOf()).toBeNull()
  })

  it('counts fields beyond the twentieth and characters beyond the 4000th', () => {
    find('form').insertAdjacentHTML('beforeend', '<input name="n" value="1">'.repeat(30))
    put('note', 'x'.repeat(4_600))
    const shown = showOf()
    expect([shown?.fields.length, shown?.more_fields]).toEqual([21, 19])
    expect(shown?.fields[3]).toEqual({ label: 'Note', name: 'note', value: 'x'.repeat(4_000), more: 600 })
  })

  it('cuts a button of ten million characters', () => {
    expect(showOf('go', 'Pay '.repeat(2_500_000))?.button).toBe('Pay '.repeat(25))
  })
})

it('of a control without a form, shows the fields beside it', () => {
  document.body.innerHTML = `<input aria-label="Search"><div><div><div contenteditable="true" aria-label="Message">Hi Bob</div></div>
    <div><button id="go" type="button">Send</button></div></div>`
  expect(showOf('go', 'Send')?.fields).toEqual([{ label: 'Message', name: '', value: 'Hi Bob', more: 0 }])
})
