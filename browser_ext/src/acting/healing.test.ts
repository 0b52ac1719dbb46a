import { expect, it } from 'vitest'
import { heal } from './healing'

const buy = { ref: 12, role: 'button', name: 'Add', heading: 'Blue mug' }

it('leads to the only control with the same role, name and heading', () => {
  const others = [
    { ...buy, ref: 46, heading: 'Red mug' },
    { ...buy, ref: 47 },
    { ...buy, ref: 48, role: 'link' },
  ]
  expect(heal(buy, others)).toBe(47)
})

it.each([
  ['none is like it', [{ ...buy, ref: 46, name: 'Remove' }]],
  [
    'two are',
    [
      { ...buy, ref: 46 },
      { ...buy, ref: 47 },
    ],
  ],
])('leads nowhere if %s', (_, controls) => {
  expect(heal(buy, controls)).toBeNull()
})
