// @vitest-environment page
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Look } from '../protocol.gen'
import { LookLine } from './look_line'

const SERVER = 'https://penny.example'
const RUN = '018f0000-0000-7000-8000-000000000001'
const FIND = '018f0000-0000-7000-8000-000000000002'

function show(look: Partial<Look> | null): string {
  const app = document.getElementById('app')
  if (app) render(<LookLine look={look && { run_id: RUN, about: 'lever espresso', ...look }} server={SERVER} />, app)
  return app?.textContent ?? ''
}

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
})

afterEach(() => vi.useRealTimers())

it.each([
  [null, ''],
  [{}, 'Looking for lever espresso'],
  [{ step: 'searching', site: 'DuckDuckGo' }, 'Looking for lever espresso · searching with DuckDuckGo'],
  [
    { step: 'reading', site: 'keys.example', number: 2, of: 3 },
    'Looking for lever espresso · reading keys.example · 2 of 3',
  ],
  [{ step: 'reading', site: 'keys.example', number: 1, of: 1 }, 'Looking for lever espresso · reading keys.example'],
  [{ about: '', step: 'waiting' }, 'Looking for something new · waiting for your answer'],
  [{ step: 'over', outcome: 'Nothing was about it.' }, 'lever espresso: Nothing was about it.How'],
  [{ step: 'over', outcome: 'Nothing about “lever espresso”.' }, 'Nothing about “lever espresso”.How'],
  [
    { about: 'small espresso machines that are easy to repair', step: 'waiting' },
    'Looking for small espresso machines that are easy to… · waiting for your answer',
  ],
  [{ step: 'over', thought_id: FIND }, 'Found something about lever espressoOpen'],
] as [Partial<Look> | null, string][])('%o is said as: %s', (look, words) => {
  expect(show(look)).toBe(words)
})

it('leads to the find at its end, else to how it went', () => {
  show({ step: 'over', thought_id: FIND })
  expect(document.querySelector('a')?.href).toBe(`${SERVER}/thoughts/${FIND}/`)
  show({ step: 'over' })
  expect(document.querySelector('a')?.href).toBe(`${SERVER}/runs/${RUN}/`)
})

it.each(['searching', 'waiting', 'over'] as const)('turns while Penny works: %s', (step) => {
  show({ step, thought_id: FIND })
  expect(document.querySelector('.busy') !== null).toBe(step === 'searching')
})

const words = () => document.getElementById('app')?.textContent

it('goes once its end was followed, and comes with the next search', async () => {
  show({ step: 'over', thought_id: FIND })
  document.querySelector('a')?.click()
  expect(document.querySelector('a')).not.toBeNull()
  await vi.waitFor(() => expect(words()).toBe(''))
  expect(show({ run_id: '018f0000-0000-7000-8000-000000000003' })).toBe('Looking for lever espresso')
})

it('goes once its end was shown for long enough', async () => {
  vi.useFakeTimers()
  await act(() => void show({ step: 'over', outcome: 'Stopped.' }))
  await vi.advanceTimersByTimeAsync(119_000)
  expect(words()).toBe('lever espresso: Stopped.How')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(words()).toBe('')
})
