import { expect, it } from 'vitest'
import { lineOf, packLines, unpackLines } from './packed_lines'

it('lines are the same outside of the page', () => {
  const lines = [
    lineOf('! dialog "Cookies":'),
    { ...lineOf('[3 Blue mug] € 12.00 | [4 button Buy]'), sibling: { group: 1, item: 0 } },
    { text: '', refs: [], frame: { place: -1, host: 'ads.example' } },
    { text: '', refs: [], frame: { place: 2, host: '' } },
    lineOf('Delivery is free.'),
  ]
  expect(unpackLines(packLines(lines))).toEqual(lines)
  expect(unpackLines(packLines([]))).toEqual([])
})
