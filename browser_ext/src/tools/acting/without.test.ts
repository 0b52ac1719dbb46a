// The tools of an errand without one of their defences: the same attack that ends with it goes through.
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { stored } from '../../state/stored'
import { siteUrl } from './errand_tabs'
import { fenceIn, openFence, stopOf } from '../../page_tabs/rules/fence'
import { beginAct, noteQuestion, takeYes } from './journal'

const off = vi.hoisted(() => ({ site: false }))

vi.mock('../../grants/grants', async (load) => {
  const real = await load<typeof import('../../grants/grants')>()
  return { ...real, covers: (...values: Parameters<typeof real.covers>) => off.site || real.covers(...values) }
})

const SITE = 'shop.example'
const ALL = { mayAct: () => true }
const NONE = { mayAct: () => false }

beforeEach(() => {
  fakeBrowser.reset()
  off.site = false
})

it('the site of a tab, an act on another one', () => {
  expect(() => siteUrl('https://evil.example/', SITE, ALL)).toThrow('evil.example')
  off.site = true
  expect(siteUrl('https://evil.example/', SITE, ALL).hostname).toBe('evil.example')
})

it('the grant at an act, a site that was revoked', () => {
  expect(() => siteUrl('https://shop.example/', SITE, NONE)).toThrow('not allowed')
  expect(siteUrl('https://shop.example/', SITE, ALL).hostname).toBe(SITE)
})

it('the journal of acts, an act that is made twice', async () => {
  await beginAct('a')
  await expect(beginAct('a')).rejects.toMatchObject({ code: 'outcome_unknown' })
  await stored.acts.removeValue()
  await expect(beginAct('a')).resolves.toBeUndefined()
})

it('the questions that were asked, a yes that nobody gave', async () => {
  await expect(takeYes('invented', 'tab')).rejects.toMatchObject({ code: 'changed_since_asked' })
  await noteQuestion('invented', 'tab')
  await expect(takeYes('invented', 'another')).rejects.toMatchObject({ code: 'changed_since_asked' })
  await expect(takeYes('invented', 'tab')).resolves.toBeUndefined()
  await expect(takeYes('invented', 'tab')).rejects.toMatchObject({ code: 'changed_since_asked' })
})

it('the fence of a tab, a page that leads to the sink', async () => {
  const declarativeNetRequest = { getSessionRules: async () => [], updateSessionRules: async () => undefined }
  Object.assign(fakeBrowser, { declarativeNetRequest })
  const request = { tabId: 7, url: 'https://sink.example/?d=secret', method: 'GET' }
  await fenceIn({ id: 7, site: SITE }, 'act')
  expect(stopOf(request)).toEqual({ leavesTo: 'sink.example' })
  await openFence(7)
  expect(stopOf(request)).toBeNull()
})
