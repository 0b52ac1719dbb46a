// The catalogues are whole, and nothing for the owner is said past them.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import german from './locales/de.json'
import english from './locales/en.json'

const ROOT = resolve(import.meta.dirname, '..')
const CATALOGUES: Record<string, Record<string, string>> = { en: english, de: german }
/** Attributes that are read out or shown. */
const SHOWN = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
]
/** Names, which no language changes. */
const NAMES = ['Penny', 'example.com']
/** What works in web pages, and what answers the server, has no words for the owner. */
const NOT_FOR_THE_OWNER = [
  'src/acting/', // said to the model that acts
  'src/extract/',
  'src/tools/',
  'src/page_tabs/',
  'src/protocol.gen.ts',
  'src/private/',
  'src/grants/hosts',
  'src/grants/url_secrets.ts',
]

function sources(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.|fake_/.test(name))
}

const FILES = [...sources('src'), ...sources('entrypoints')].map((name) => ({
  name,
  text: readFileSync(join(ROOT, name), 'utf8'),
}))

const places = (text: string): string[] => [...new Set(text.match(/\$[1-9]/g))].toSorted()

describe('the catalogues', () => {
  it('have the same keys, in the same order', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english))
  })

  it('leave no text empty, and the same places open in each', () => {
    for (const [key, text] of Object.entries(english)) {
      const other = CATALOGUES.de?.[key] ?? ''
      expect([key, text.trim() !== '' && other.trim() !== '', places(other)]).toEqual([
        key,
        true,
        expectedIn(key, text, other),
      ])
    }
  })

  it('hold nothing that is not used', () => {
    const all = [...FILES.map(({ text }) => text), readFileSync(join(ROOT, 'wxt.config.ts'), 'utf8')].join('\n')
    const isUsed = (key: string) =>
      [`'${key}'`, `"${key}"`, `'${key.replace(/_(one|other)$/, '')}'`, `__MSG_${key}__`].some((name) =>
        all.includes(name),
      )
    expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([])
  })

  it('have both forms of what is counted', () => {
    const stems = Object.keys(english).flatMap((key) => /^(.*)_one$/.exec(key)?.[1] ?? [])
    expect(stems.filter((stem) => !(`${stem}_other` in english))).toEqual([])
  })
})

describe('the sources', () => {
  it('say nothing for the owner but from the catalogue (add the words to src/locales/en.json and de.json, and use say)', () => {
    expect(FILES.filter(({ name }) => !isPast(name)).flatMap(({ name, text }) => wordsIn(name, text))).toEqual([])
  })

  it('would be found out', () => {
    const sample = '<p title="Stop it">Hello</p>; refusal("No such thing."); say(x ? `Not ${y} now` : "")'
    expect(wordsIn('src/a.tsx', sample).length).toBe(4)
    expect(
      wordsIn(
        'src/a.tsx',
        '<b class="big one">{say("a_key")} · {1}</b>; console.warn("Penny: odd", a); throw new Error("not now")',
      ),
    ).toEqual([])
  })
})

/** A form for one may leave the number out. */
function expectedIn(key: string, text: string, other: string): string[] {
  return key.endsWith('_one') ? places(other) : places(text)
}

function isPast(name: string): boolean {
  return NOT_FOR_THE_OWNER.some((start) => relative('.', name).startsWith(start))
}

/** Returns where the file holds words: JSX text, attributes that are shown, and texts that look like sentences. */
function wordsIn(name: string, text: string): string[] {
  const file = ts.createSourceFile(
    name,
    text,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const unnamed: string[] = []
  const visit = (node: ts.Node): void => {
    if (isForDevelopers(node)) return
    if (isWording(node))
      unnamed.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText().trim()}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return unnamed
}

/** The console, errors that nobody shows, and what the server is answered: a code with English words. */
function isForDevelopers(node: ts.Node): boolean {
  if (ts.isObjectLiteralExpression(node))
    return ['code', 'message'].every((name) => node.properties.some((one) => one.name?.getText() === name))
  if (ts.isCallExpression(node)) return node.expression.getText().startsWith('console.')
  return ts.isNewExpression(node) && node.expression.getText() === 'Error'
}

function isWording(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return isWords(node.text)
  if (ts.isStringLiteral(node) && ts.isJsxAttribute(node.parent))
    return SHOWN.includes(node.parent.name.getText()) && isWords(node.text)
  if (ts.isTemplateExpression(node))
    return isSentence([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x'))
  return ts.isStringLiteralLike(node) && isSentence(node.text)
}

function isWords(text: string): boolean {
  return /\p{L}/u.test(text) && !NAMES.includes(text.trim())
}

/** Two words or more of which the first is written large, or one that ends as a sentence does. */
function isSentence(text: string): boolean {
  return /^\s*\p{Lu}[\p{L}’']+([ ,]+[\p{L}\d“„(]|[.?!:…]\s*$)/u.test(text)
}
