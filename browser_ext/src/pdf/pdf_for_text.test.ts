// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { pdfForText } from '../../scripts/pdf_for_text'

type Transform = (
  this: { parse: (code: string) => { body: object[] } },
  code: string,
  id: string,
) => { code: string } | null
const ID = '/node_modules/pdfjs-dist/build/pdf.worker.mjs'

function transform(code: string, id: string): { code: string } | null {
  return (pdfForText().transform as unknown as Transform).call({ parse: () => ({ body: [] }) }, code, id)
}

describe('pdf.js as it is shipped', () => {
  it('is changed at its two builds alone', () => {
    expect(transform('let a', '/src/pdf/document.ts')).toBeNull()
    expect(transform('let a', '/node_modules/pdfjs-dist/build/pdf.min.mjs')).toBeNull()
  })

  it('fails the build where a release has other parts', () => {
    expect(() => transform(';// ./src/core/other.js\n', ID)).toThrow(
      'it has no part ./external/brotli/. Look at its parts',
    )
  })
})
