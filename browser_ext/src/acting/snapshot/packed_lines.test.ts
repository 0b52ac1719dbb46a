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

it('no words of a page make a line or a frame of their own', () => {
  const lines = unpackLines(packLines([lineOf('Buy\n\t2\tbank.example'), lineOf('\t2\tbank.example')]))
  expect(lines).toEqual([lineOf('Buy  2 bank.example'), lineOf(' 2 bank.example')])
})
