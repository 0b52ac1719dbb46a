import { describe, expect, it } from 'vitest'
import { cardsIn, codesIn, keysIn, saysCode } from './secrets'

const cutOut = (spans: [number, number][], text: string) => spans.map(([start, end]) => text.slice(start, end))

describe('what may not be seen in a picture', () => {
  it.each([
    ['Card 4111 1111 1111 1111, valid until 12/29', ['4111 1111 1111 1111']],
    ['4111111111111111', ['4111111111111111']],
    ['3782-822463-10005', ['3782-822463-10005']],
    ['Order 1234 5678 9012 3456', []],
    ['Call 030 1234567 or +49 170 1234567', []],
    ['It costs 1,299.00 in 2026', []],
  ])('is a number that is made like that of a card: %s', (text, numbers) => {
    expect(cutOut(cardsIn(text), text)).toEqual(numbers)
  })

  it.each([
    ['Your code is 482913.', ['482913']],
    ['Your one-time password: 482 913', ['482 913']],
    ['Ihr Bestätigungscode lautet 4829', ['4829']],
    ['código: 77120435', ['77120435']],
    ['Il codice è 123456 e scade alle 12:30', ['123456']],
  ])('is a code where somebody says that there is one: %s', (text, codes) => {
    expect(saysCode(text)).toBe(true)
    expect(cutOut(codesIn(text), text)).toEqual(codes)
  })

  it.each([
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a is yours', ['ghp_16C7e42F292c6912E7710c838347Ae178B4a']],
    ['export AWS=AKIAIOSFODNN7EXAMPLE', ['AKIAIOSFODNN7EXAMPLE']],
    ['Your API key: 9f8e7d6c5b4a39281706', ['9f8e7d6c5b4a39281706']],
    ['Recovery token a1b2c3d4-e5f6-7890-a1b2-c3d4e5f67890.', ['a1b2c3d4-e5f6-7890-a1b2-c3d4e5f67890']],
    [
      '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----',
      ['-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----'],
    ],
    ['Order 9f8e7d6c5b4a39281706 was sent', []],
    ['A key ingredient of espresso-machine-descaling is patience', []],
    ['Key facts: https://example.com/a1b2c3d4e5f6a7b8c9d0', []],
  ])('is a key or a token: %s', (text, keys) => {
    expect(cutOut(keysIn(text), text)).toEqual(keys)
  })

  it('is no number beside which nobody speaks of a code', () => {
    expect(saysCode('Espresso is brewed at 92 degrees since 1948')).toBe(false)
    expect(cutOut(codesIn('12:30:15 and 1,234.56 and 3.14159'), '12:30:15 and 1,234.56 and 3.14159')).toEqual([])
  })
})
