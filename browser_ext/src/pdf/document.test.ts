// @vitest-environment node
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pdfText } from './document'
import { lines, pdf, write } from './fake_pdf'

const JAPANESE =
  '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light' +
  ' /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4' +
  ' /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >> >>] >>'

const XML =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="application/pdf"/></rdf:RDF></x:xmpmeta>'

const read = (bytes: Uint8Array<ArrayBuffer>) => pdfText(bytes.slice().buffer)

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

describe('the text of a PDF', () => {
  it('has its pages in order, its title, and the number of its words', async () => {
    const result = await read(
      pdf([lines('The first page.'), lines('The second one.')], { title: 'Of pages', xml: XML }),
    )
    expect(result).toEqual({
      title: 'Of pages',
      text: 'The first page.\n\nThe second one.',
      truncated: false,
      words: 6,
    })
  })

  it('leaves out what is off the page and what is too small to be read', async () => {
    const page =
      write('Seen', 72, 700) + write('Left of it', -400, 650) + write('Above it', 72, 900) + write('Tiny', 72, 600, 1)
    expect(await read(pdf([page]))).toMatchObject({ text: 'Seen' })
  })

  it('is cut where it is longer than pages are told, and says how long all of it is', async () => {
    const pages = Array.from({ length: 120 }, () =>
      lines(...Array.from({ length: 40 }, () => 'Ten words stand in each of these many long lines.')),
    )
    const result = await read(pdf(pages))
    expect(result).toMatchObject({ truncated: true, words: 48_000 })
    expect('text' in result && result.text.length).toBe(50_000)
  })

  it('ends after three hundred pages, and then knows no number of words', async () => {
    const result = await read(pdf(Array.from({ length: 301 }, (_, at) => lines(`Page ${at + 1}.`))))
    expect(result).toMatchObject({ truncated: true })
    expect(result).not.toHaveProperty('words')
    expect('text' in result && result.text.endsWith('Page 300.')).toBe(true)
  })

  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    ['a password', pdf([lines('Locked.')], { isLocked: true }), 'locked'],
    ['no page that is whole', new TextEncoder().encode('%PDF-1.4\nAnd no more.'), 'broken'],
    ['nothing of a PDF', new TextEncoder().encode('<!doctype html><p>Sign in'), 'broken'],
    ['no text, as a picture of a page has none', pdf(['0 0 100 100 re f']), 'no_text'],
    [
      'letters in a table that is not there',
      pdf(['BT /F 12 Tf 72 700 Td <65e5672c8a9e> Tj ET'], { font: JAPANESE }),
      'lettering',
    ],
  ])('is none where the file has %s, and that is said', async (_what, bytes, problem) => {
    expect(await read(bytes)).toEqual({ problem })
  })
})
