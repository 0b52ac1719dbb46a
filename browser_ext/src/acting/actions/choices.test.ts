import { expect, it } from 'vitest'
import { chooseFrom, matchIn, type Choice } from './choices'

const CHOICES: Choice<number>[] = ['Österreich', 'Germany', 'German Samoa', 'New Zealand', 'Zealand (Denmark)'].map(
  (label, target) => ({ label, target, value: `c${target}` }),
)

it.each([
  ['Germany', 1],
  ['germany', 1],
  ['osterreich', 0],
  ['c3', 3],
  ['New Z', 3],
  ['denmark zealand', 4],
])('finds %s', (wish, place) => {
  expect(chooseFrom(CHOICES, wish).target).toBe(place)
})

it('names the options where several fit', () => {
  expect(() => chooseFrom(CHOICES, 'german')).toThrow('Several options fit: “Germany”, “German Samoa”.')
})

it('names the options where none fits, the first dozen of them', () => {
  const many = Array.from({ length: 14 }, (_, at) => ({ label: `Size ${at}`, target: at }))
  expect(() => chooseFrom(many, 'Peru')).toThrow(/“Size 11”, 2 more\.$/)
  expect(() => chooseFrom(CHOICES, 'Peru')).toThrow('There is no such option.')
})

it('takes the empty option for an empty wish alone', () => {
  const choices = [{ label: 'Choose one', value: '', target: 0 }, ...CHOICES]
  expect(matchIn(choices, '').map(({ target }) => target)).toEqual([0])
})
