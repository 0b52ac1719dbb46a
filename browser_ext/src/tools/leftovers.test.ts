import { beforeEach, expect, it } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { stored } from '../stored'
import { FakeBrowser } from './fake_browser'
import { closeLeftovers } from './leftovers'

beforeEach(() => fakeBrowser.reset())

it('closes the tabs that an ended background left open, and none of the owner that has their number', async () => {
  const fake = new FakeBrowser({})
  const open = (id: number, url: string, active = false) => fake.tabs.set(id, { id, url, status: 'complete', active })
  open(1, 'https://left.example/')
  open(2, 'https://owners.example/')
  open(3, 'https://watched.example/', true)
  await stored.tabs.setValue([
    { id: 1, url: 'https://left.example/' },
    { id: 2, url: 'https://left.example/' },
    { id: 3, url: 'https://watched.example/' },
    { id: 4, url: 'https://gone.example/' },
  ])
  await closeLeftovers()
  expect([...fake.tabs.keys()]).toEqual([2, 3])
  expect(await stored.tabs.getValue()).toEqual([])
})
