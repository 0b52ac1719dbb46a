// @vitest-environment page
// @vitest-environment-options { "url": "https://site.example/page" }
// Holds the verdicts to the labelled controls. CONSEQUENCES_REPORT names a file for the figures of
// `python -m tests.bench.acting.consequences`.
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { controlsOf, measureOf } from './fake_corpus'

const PARTS = ['first', 'second']
const MISSES_MOST = 0.02
const FREE_ASKED_MOST = 0.08
const LEAST_CONTROLS = 400
const LEAST_IN_A_LANGUAGE = 20
const LANGUAGES = 15

const report = process.env['CONSEQUENCES_REPORT']
if (report) writeFileSync(report, JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, measureOf(part)]))))

it('the corpus has enough controls in each language', () => {
  const counts = new Map<string, number>()
  for (const { language } of PARTS.flatMap(controlsOf)) counts.set(language, (counts.get(language) ?? 0) + 1)
  expect(counts.size).toBe(LANGUAGES)
  expect([...counts].filter(([, count]) => count < LEAST_IN_A_LANGUAGE)).toEqual([])
  expect([...counts.values()].reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(LEAST_CONTROLS)
})

it.each(PARTS)('of the %s part, final kinds are recognised and free controls are free', (part) => {
  const { final, finalMissed, free, freeAsked } = measureOf(part)
  expect([finalMissed.length / final <= MISSES_MOST, finalMissed]).toEqual([true, finalMissed])
  expect([freeAsked.length / free <= FREE_ASKED_MOST, freeAsked]).toEqual([true, freeAsked])
})
