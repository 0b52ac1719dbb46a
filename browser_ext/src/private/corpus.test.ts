// The corpus of the server's rules, held here too: tests/bench/private/ says what its lines mean.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSecretName, secretsIn } from './secrets'
import { seedPhrasesIn } from './seed_phrases'
import { isPrivateTopic } from './topics'

const FOLDER = resolve(import.meta.dirname, '../../../tests/bench/private')
/** At most this part may be missed, or be a false alarm. The same as in tests/thoughts/text/test_private.py. */
const MISSES_MOST = 0.05
const FALSE_ALARMS_MOST = 0.1
/** The server alone knows the words of wallets in other languages than English. */
const OTHER_WALLET = /^Frase de recuperación: ábaco/

interface Case {
  where: string
  isPrivate: boolean
  text: string
  site: string
}

function casesOf(part: string): Case[] {
  const lines = readFileSync(resolve(FOLDER, `${part}.txt`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [, where = '', what, text = '', site = 'news.example'] = line.split(' | ').map((field) => field.trim())
    return { where, isPrivate: what !== '-', text: text.replaceAll('\\n', '\n'), site }
  })
}

function isFound({ where, text, site }: Case): boolean {
  if (where === 'title') return isPrivateTopic(site, '/', text)
  if (where === 'field') return isSecretName(text)
  const pieces = text.split(/[⟦⟧]/)
  const whole = pieces.join('')
  const spans = [...secretsIn(whole), ...seedPhrasesIn(whole)]
  const marks = pieces.flatMap((piece, at) => {
    const start = pieces.slice(0, at).join('').length
    return at % 2 === 1 ? [[start, start + piece.length] as const] : []
  })
  if (marks.length === 0) return spans.length > 0
  return marks.every(([start, end]) => spans.some((span) => span[0] <= start && end <= span[1]))
}

describe.each(['first', 'second'])('of the %s part', (part) => {
  const cases = casesOf(part).filter(({ where }) => where !== 'address')
  const wrong = cases.filter((one) => isFound(one) !== one.isPrivate)

  it('little is missed', () => {
    const missed = wrong.filter(({ isPrivate }) => isPrivate)
    const all = cases.filter(({ isPrivate }) => isPrivate)
    expect([missed.length / all.length <= MISSES_MOST, missed]).toEqual([true, missed])
  })

  it('little is a false alarm', () => {
    const alarms = wrong.filter(({ isPrivate }) => !isPrivate)
    const all = cases.filter(({ isPrivate }) => !isPrivate)
    expect([alarms.length / all.length <= FALSE_ALARMS_MOST, alarms]).toEqual([true, alarms])
  })

  it('the same is decided as on the server', () => {
    const decisions = readFileSync(resolve(FOLDER, 'wrong.txt'), 'utf8').split('\n')
    const texts = wrong.map(({ text }) => text.replace(/[⟦⟧]/g, '')).filter((text) => !OTHER_WALLET.test(text))
    expect(texts.filter((text) => !decisions.includes(text))).toEqual([])
  })
})
