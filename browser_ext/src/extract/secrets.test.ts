import { describe, expect, it } from 'vitest'
import { cardsIn, codesIn, saysCode } from './secrets'

const found = (spans: [number, number][], text: string) => spans.map(([start, end]) => text.slice(start, end))

describe('what may not be seen in a picture', () => {
  it.each([
    ['Card 4111 1111 1111 1111, valid until 12/29', ['4111 1111 1111 1111']],
    ['4111111111111111', ['4111111111111111']],
    ['3782-822463-10005', ['3782-822463-10005']],
    ['Order 1234 5678 9012 3456', []],
    ['Call 030 1234567 or +49 170 1234567', []],
    ['It costs 1,299.00 in 2026', []],
  ])('is a number that is made like that of a card: %s', (text, numbers) => {
    expect(found(cardsIn(text), text)).toEqual(numbers)
  })

  it.each([
    ['Your code is 482913.', ['482913']],
    ['Your one-time password: 482 913', ['482 913']],
    ['Ihr Bestätigungscode lautet 4829', ['4829']],
    ['código: 77120435', ['77120435']],
    ['Il codice è 123456 e scade alle 12:30', ['123456']],
  ])('is a code where somebody says that there is one: %s', (text, codes) => {
    expect(saysCode(text)).toBe(true)
    expect(found(codesIn(text), text)).toEqual(codes)
  })

  it('is no number beside which nobody speaks of a code', () => {
    expect(saysCode('Espresso is brewed at 92 degrees since 1948')).toBe(false)
    expect(found(codesIn('12:30:15 and 1,234.56 and 3.14159'), '12:30:15 and 1,234.56 and 3.14159')).toEqual([])
  })
})
