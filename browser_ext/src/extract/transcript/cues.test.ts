import { describe, expect, it } from 'vitest'
import { atOnce } from '../slices'
import { cuesInFile } from './caption_files'
import { LINE_CHARACTERS, LINES_MOST, linesOf, markOf, type Cue } from './cues'

const lines = (cues: Iterable<Cue>, room = 50_000) => atOnce(linesOf(cues, room))
const cue = (start_s: number, text: string): Cue => ({ start_s, text })

describe('the lines of a transcript', () => {
  it.each([
    [0.4, '[0:00]'],
    [754.9, '[12:34]'],
    [3723, '[1:02:03]'],
    [Number.NaN, '[0:00]'],
    [-3, '[0:00]'],
    [1e12, '[99:59:59]'],
  ])('begin with their time: %s', (start_s, mark) => {
    expect(markOf(start_s)).toBe(mark)
  })

  it('join cues to sentences, and begin anew after twenty seconds', () => {
    const cues = [
      cue(4, 'A lever machine presses'),
      cue(7, 'with nine bars on the coffee.'),
      cue(9, 'Then'),
      cue(40, 'it rests.'),
    ]
    expect(lines(cues).lines).toEqual([
      '[0:04] A lever machine presses with nine bars on the coffee.',
      '[0:09] Then',
      '[0:40] it rests.',
    ])
  })

  it('hold each line of captions that roll upwards once', () => {
    const cues = [
      cue(1, 'A lever machine'),
      cue(3, 'A lever machine presses hard'),
      cue(3, 'A lever machine presses hard'),
    ]
    expect(lines(cues).lines).toEqual(['[0:01] A lever machine presses hard'])
  })

  it('are single lines without invisible characters, and make no section of their own', () => {
    expect(lines([cue(1, 'one\n\n## Transcript\n[9:99] two\u{E0041}\u200B')]).lines).toEqual([
      '[0:01] one ## Transcript [9:99] two',
    ])
    expect(lines([cue(1, ' \n ')])).toEqual({ lines: [], isCut: false })
  })

  it('have bounds: cues of 10 kB', () => {
    const { lines: long } = lines(
      Array.from({ length: 50 }, (_, at) => cue(at * 30, `${at} ${'word '.repeat(2_000)}`)),
      200_000,
    )
    expect(Math.max(...long.map(({ length }) => length))).toBeLessThanOrEqual(LINE_CHARACTERS + '[00:00] '.length)
    expect(long.length).toBe(50 * 7)
  })

  it('have bounds: 10,000 cues in little room', () => {
    const cues = Array.from({ length: 10_000 }, (_, at) => cue(at * 30, `Cue number ${at} of a long recording.`))
    const all = lines(cues, 10_000_000)
    expect([all.lines.length, all.isCut]).toEqual([LINES_MOST, true])
    const few = lines(cues, 1_000)
    expect(few.isCut).toBe(true)
    expect(few.lines.join('\n').length).toBeLessThanOrEqual(1_000)
    expect(few.lines.length).toBeGreaterThan(15)
    expect(lines(cues, 0)).toEqual({ lines: [], isCut: true })
  })
})

describe('caption files', () => {
  it.each([
    [
      'WEBVTT - Levers\r\n\r\nNOTE 00:00:01.000 is no cue\r\n\r\nSTYLE\r\n::cue {}\r\n\r\nintro\r\n00:04.500 --> 00:06.000 align:start\r\n' +
        '<v Ada Byron>Nine <i>bars</i>\r\nof pressure &amp; more\r\n\r\n1:02:03.000 --> 1:02:04.000\r\nThe end.',
      [cue(4.5, 'Ada Byron: Nine bars of pressure & more'), cue(3723, 'The end.')],
    ],
    [
      '\uFEFF1\n00:00:04,500 --> 00:00:06,000\nNine bars\n\n2\n00:12:34,000 --> 00:12:40,000\nThe end.',
      [cue(4.5, 'Nine bars'), cue(754, 'The end.')],
    ],
    [
      '{"version":"1.0","segments":[{"startTime":4.5,"body":"Nine bars"},{"startTime":"x","body":"no"},7,{"startTime":9}]}',
      [cue(4.5, 'Nine bars')],
    ],
    ['<!doctype html><title>Not found</title>', []],
    ['{"segments": 7}', []],
    ['{', []],
    ['', []],
  ])('give their cues: %#', (file, cues) => {
    expect(cuesInFile(file)).toEqual(cues)
  })

  it('have bounds: one cue of a million lines, a million cues', () => {
    const start = performance.now()
    const [one] = cuesInFile(`WEBVTT\n\n00:01.000 --> 00:02.000\n${'x\n'.repeat(1_000_000)}`)
    expect(one?.text.length).toBeLessThanOrEqual(2_000)
    expect(cuesInFile('00:01.000 --> 00:02.000\nx\n\n'.repeat(100_000)).length).toBe(20_000)
    expect(cuesInFile(`00:01.000 --> 00:02.000\n${'x'.repeat(100)}\n\n`.repeat(10_000)).length).toBe(1_000)
    expect(cuesInFile(`00:01.000 --> 00:02.000\n${'<v '.repeat(700_000)}`).length).toBe(1)
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
