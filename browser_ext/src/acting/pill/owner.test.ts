// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isOwnHost, pageElementAt, shadowOf } from '../../extract/shadow_roots'
import { awaitOwner, leaveOwner, type OwnerRequest } from './owner'

const WORDS = { title: 'Penny is acting', move: 'Move', buttons: [{ move: 'stop' as const, name: 'Stop' }] }
const ACTING: OwnerRequest = { words: WORDS, isTheirs: false }
const THEIRS: OwnerRequest = { words: { title: 'Yours', move: 'Move', buttons: [] }, isTheirs: true }

beforeEach(() => {
  HTMLElement.prototype.showPopover = vi.fn()
  document.body.innerHTML = '<button>Page</button>'
})
afterEach(leaveOwner)

function hosts(): Element[] {
  return [...document.documentElement.children].filter(isOwnHost)
}

it('a page has one pill, which another one replaces, and which goes', async () => {
  const first = awaitOwner(document, ACTING)
  expect(hosts()).toHaveLength(1)
  const second = awaitOwner(document, THEIRS)
  expect(await first).toBeNull()
  expect(hosts()).toHaveLength(1)
  leaveOwner()
  expect(await second).toBeNull()
  expect(document.documentElement.children).toHaveLength(2)
})

it('no script sees what is in it, not even ours', () => {
  const attach = vi.spyOn(Element.prototype, 'attachShadow')
  void awaitOwner(document, ACTING)
  expect(attach).toHaveBeenCalledWith({ mode: 'closed' })
  const host = hosts()[0] as HTMLElement
  expect([host.shadowRoot, shadowOf(host), host.textContent]).toEqual([null, null, ''])
  attach.mockRestore()
})

it('is no part of the page where an act looks for what it hits', () => {
  void awaitOwner(document, ACTING)
  const button = document.querySelector('button')
  const hits = [hosts()[0], button]
  expect(pageElementAt({ elementFromPoint: () => hits.shift() } as unknown as Document, 1, 1)).toBe(button)
})

it('comes back where the page removes it, but not for ever', async () => {
  void awaitOwner(document, ACTING)
  for (let turn = 0; turn < 30; turn++) {
    hosts()[0]?.remove()
    await Promise.resolve()
  }
  expect(HTMLElement.prototype.showPopover).toHaveBeenCalledTimes(21)
})

it('hears no event that a script made up', async () => {
  const moves: unknown[] = []
  void awaitOwner(document, ACTING).then((move) => moves.push(move))
  for (const target of [document.body, hosts()[0] as Element])
    for (const type of ['pointerdown', 'keydown', 'click']) target.dispatchEvent(new Event(type, { bubbles: true }))
  await Promise.resolve()
  expect(moves).toEqual([])
})
