// @vitest-environment node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { renderToString } from 'katex'
import { describe, expect, it, vi } from 'vitest'
import { katexForMathml } from '../../../scripts/katex_for_mathml'

type Render = typeof renderToString
type Transform = (this: { parse: (code: string) => object }, code: string, id: string) => { code: string } | null

/** Its build for Node, which nothing changes. */
const whole = createRequire(import.meta.url)('katex') as { renderToString: Render }
const ID = '/node_modules/katex/dist/katex.mjs'
const COMMANDS = [
  ...new Set(readFileSync(`.${ID}`, 'utf8').match(/(?<=")\\\\(?:[a-zA-Z]+|.)(?=")|(?<=")[^\x00-\x7f](?=")/g)),
].map((command) => command.replace('\\\\', '\\'))
const FORMS = ['C', 'C{x}', 'C{x}{y}', '\\left C x \\right C', 'C_a^b', '\\text{C}']
const FONTS = [
  'mathbf',
  'mathrm',
  'mathit',
  'mathbb',
  'mathcal',
  'mathfrak',
  'mathscr',
  'mathsf',
  'mathtt',
  'boldsymbol',
]
const LETTERS = 'Ab3+ıΓα∂ℏ'

function written(render: Render, tex: string): string {
  try {
    return render(tex, { output: 'mathml', displayMode: true, strict: 'ignore' })
  } catch (reason) {
    return String(reason)
  }
}

function transform(code: string, id: string): { code: string } | null {
  return (katexForMathml().transform as unknown as Transform).call({ parse: () => ({}) }, code, id)
}

describe('KaTeX as it is shipped', () => {
  it.each([
    ['command', COMMANDS.flatMap((command) => FORMS.map((form) => form.replaceAll('C', command)))],
    ['letter of a font', FONTS.flatMap((font) => [...LETTERS, ...COMMANDS].map((letter) => `\\${font}{${letter}}`))],
  ])('writes each %s as the whole of it does', (_what, formulas) => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined) // \show writes there
    expect(formulas.filter((tex) => written(renderToString, tex).startsWith('<span')).length).toBeGreaterThan(5_000)
    expect(formulas.filter((tex) => written(renderToString, tex) !== written(whole.renderToString, tex))).toEqual([])
  })

  it('is changed at its one module alone', () => {
    expect(transform('let a', '/src/conversation/text/formulas.ts')).toBeNull()
    expect(() => transform('let a', ID)).toThrow('no definition has a htmlBuilder. Look at its parts')
  })
})
