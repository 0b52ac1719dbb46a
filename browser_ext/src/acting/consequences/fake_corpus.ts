// The labelled controls of tests/bench/acting/consequences/, as live elements, and how well they are judged.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Kind, Verdict } from './kinds'
import { consequencesOf } from './verdict'

export interface LabelledControl {
  language: string
  facts: string
  name: string
  kinds: string[]
  isFinal: boolean
}

export interface Measure {
  controls: number
  final: number
  finalMissed: string[]
  leading: number
  leadingMissed: string[]
  free: number
  freeAsked: string[]
}

const FOLDER = resolve(import.meta.dirname, '../../../../tests/bench/acting/consequences')
const SITE = 'site.example'
const FORMS: Record<string, string> = {
  post: '<form method="post" action="/do"><input name="a" value="x"><button id="it"></button></form>',
  get: '<form action="/list"><select name="b"><option>1</option></select><input name="a"><button id="it"></button></form>',
  search: '<form role="search" action="/find"><input type="search" name="q"><button id="it"></button></form>',
  login:
    '<form method="post" action="/session"><input name="user"><input type="password" name="pw"><button id="it"></button></form>',
}
const PLAIN: Record<string, string> = {
  button: '<button type="button" id="it"></button>',
  popup: '<button type="button" aria-haspopup="menu" id="it"></button>',
  checkbox: '<input type="checkbox" id="it">',
  tab: '<div role="tab" id="it"></div>',
  switch: '<button role="switch" type="button" aria-checked="false" id="it"></button>',
  menuitem: '<div role="menu"><div role="menuitem" id="it"></div></div>',
}

export function controlsOf(part: string): LabelledControl[] {
  const lines = readFileSync(resolve(FOLDER, `${part}.txt`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [language = '', facts = '', kinds = '', name = ''] = line.split(' | ')
    const words = kinds === '-' ? [] : kinds.split(' ')
    const isFinal = words.some((word) => word.endsWith('!'))
    return { language, facts, name, isFinal, kinds: words.map((word) => word.replace('!', '')) }
  })
}

function judge({ facts, name }: LabelledControl): Verdict {
  const [what = '', ...rest] = facts.split(' ')
  document.body.innerHTML = htmlOf(what, rest.join(' '))
  const element = document.querySelector('#it') as HTMLElement
  if (!element.matches('input')) element.textContent = name
  return consequencesOf({ element, name }, { do: 'click' }, SITE)
}

function htmlOf(what: string, more: string): string {
  if (what === 'submit') return FORMS[more] ?? ''
  if (what === 'link') return `<a href="${more}" id="it"></a>`
  if (what === 'dialog') return `<div role="dialog"><h2>${more}</h2><button type="button" id="it"></button></div>`
  return PLAIN[what] ?? ''
}

export function measureOf(part: string): Measure {
  const judged = controlsOf(part).map((control) => ({ control, verdict: judge(control) }))
  const [final, leading, free] = [
    judged.filter(({ control }) => control.isFinal),
    judged.filter(({ control }) => !control.isFinal && control.kinds.length > 0),
    judged.filter(({ control }) => control.kinds.length === 0),
  ]
  return {
    controls: judged.length,
    final: final.length,
    finalMissed: final.filter(misses).map(lineOfCase),
    leading: leading.length,
    leadingMissed: leading.filter(misses).map(lineOfCase),
    free: free.length,
    freeAsked: free.filter(({ verdict }) => verdict.kinds.length > 0 || verdict.certainty === 'none').map(lineOfCase),
  }
}

interface Judged {
  control: LabelledControl
  verdict: Verdict
}

function misses({ control, verdict }: Judged): boolean {
  return control.kinds.some((kind) => !verdict.kinds.includes(kind as Kind))
}

function lineOfCase({ control: { language, facts, name, kinds }, verdict }: Judged): string {
  const judgement = verdict.kinds.join(' ') || (verdict.certainty === 'none' ? 'unknown' : 'free')
  return `${language} ${facts}: ${name} — ${kinds.join(' ') || 'free'}, judged ${judgement}`
}
