// Features of the boxes around a block, of the records that it is one of, and of its way to the core of the page.
import type { Block, Box } from '../blocks/blocks'
import { between, type Note } from './own_features'
import { chainOf, type PageShape } from './page_shape'

const AROUND = [0, 1, 2, 3, 4].map((level) => ({
  level,
  words: `box ${level}, words`,
  linked: `box ${level}, linked`,
  sentences: `box ${level}, sentences`,
  mean: `box ${level}, words of a block`,
  blocks: `box ${level}, blocks`,
  inside: `box ${level}, place inside`,
  before: `box ${level}, siblings before`,
  alikeBefore: `box ${level}, like siblings before`,
  alike: `box ${level}, alike`,
  children: `box ${level}, children`,
  images: `box ${level}, pictures`,
}))

export function noteBoxes(shape: PageShape, index: number, note: Note): void {
  const block = shape.blocks[index]
  if (!block) return
  const chain = chainOf(block.box)
  for (const names of AROUND) {
    const box = chain[names.level]
    if (!box) break
    if (names.level > 0) noteSize(box, index, names, note)
    const siblings = shape.siblings.get(box.element)
    note(names.before, siblings?.before ?? 0)
    note(names.alikeBefore, siblings?.alikeBefore ?? 0)
    note(names.alike, box.alike)
    note(names.children, box.element.childElementCount)
    note(names.images, Math.log1p(shape.images.get(box.element) ?? 0))
  }
  const inline = chainOf(block.inner)
  note('depth', block.inner.depth)
  note('inline', Number(block.inner !== block.box))
  note('in lists', countAmong(chain, ['UL', 'OL']))
  note('in tables', countAmong(chain, ['TABLE']))
  note('in links', countAmong(inline, ['A']))
  note('closed', Number(inline.some(({ isClosed }) => isClosed)))
  noteGrowth(chain, note)
  noteWayToCore(shape, index, inline, note)
}

function noteSize(box: Box, index: number, names: (typeof AROUND)[number], note: Note): void {
  const words = Math.max(1, box.words)
  const count = Math.max(1, box.last - box.first)
  note(names.words, Math.log1p(box.words))
  note(names.linked, box.linkedWords / words)
  note(names.sentences, box.sentenceWords / words)
  note(names.mean, Math.log1p(words / count))
  note(names.blocks, Math.log1p(count))
  note(names.inside, (index - box.first) / count)
}

function countAmong(chain: readonly Box[], tags: readonly string[]): number {
  return chain.reduce((count, { element }) => count + Number(tags.includes(element.tagName)), 0)
}

/** Where the boxes grow by most, a section ends. */
function noteGrowth(chain: readonly Box[], note: Note): void {
  let [most, at] = [1, 0]
  for (const [level, box] of chain.entries()) {
    const outer = chain[level + 1]
    const growth = outer ? (outer.words + 10) / (box.words + 10) : 0
    if (growth > most) [most, at] = [growth, box.words]
  }
  note('growth of boxes', Math.log(most))
  note('words before the growth', Math.log1p(at))
}

function noteWayToCore(shape: PageShape, index: number, chain: readonly Box[], note: Note): void {
  const { core, aroundCore, aroundLongest, total } = shape
  const common = chain.findIndex((box) => aroundLongest.has(box))
  const around = chain[common]
  if (around) {
    note('levels to the longest', common)
    note('levels down to the longest', aroundLongest.get(around) ?? 0)
    note('share around the longest', around.words / total)
    note('words around the longest', Math.log1p(around.words))
  }
  const out = core ? chain.findIndex((box) => aroundCore.has(box)) : -1
  const meeting = chain[out]
  note('levels to the core', meeting ? out : -1)
  note('levels down to the core', meeting ? (aroundCore.get(meeting) ?? 0) : -1)
  note('share around the core', meeting ? meeting.words / total : -1)
  if (!core || !meeting) return
  note('sentences around the core', meeting.sentenceWords / Math.max(1, meeting.words))
  note('after the core', Number(index >= core.last))
  note('before the core', Number(index < core.first))
}

// Records
// ---------------------------------------------------------------------------------------------------------------------

/** The blocks of one structure. */
interface Repeated {
  count: number
  words: number
  sentences: number
  linked: number
  first: number
  last: number
}

const NAMES = ['count', 'share', 'mean', 'sentences', 'linked', 'first', 'last'] as const

interface Records {
  ofBlock: Repeated[]
  names: { [name in (typeof NAMES)[number]]: string }
}

type Kinds = ReadonlyMap<Box, string>

const STRUCTURES: [what: string, structure: (block: Block, kinds: Kinds) => string][] = [
  ['two boxes', ({ box }, kinds) => kindsAround(box, 2, kinds)],
  ['four boxes', ({ box }, kinds) => kindsAround(box, 4, kinds)],
  ['path', ({ box }) => pathOf(box)],
]

export function recordsOf(shape: PageShape): Records[] {
  const kinds = kindsOf(shape.boxes)
  return STRUCTURES.map(([what, structure]) => {
    const records = new Map<string, Repeated>()
    const ofBlock = shape.blocks.map((block, index) => {
      const key = structure(block, kinds)
      const record = records.get(key) ?? { count: 0, words: 0, sentences: 0, linked: 0, first: index, last: index }
      records.set(key, record)
      record.count++
      record.words += block.words
      record.sentences += between(shape.prose, index, index + 1)
      record.linked += block.words * block.linkShare
      record.last = index
      return record
    })
    const names = Object.fromEntries(NAMES.map((name) => [name, `same ${what}, ${name}`])) as Records['names']
    return { ofBlock, names }
  })
}

export function noteRecords({ words, total }: PageShape, index: number, all: readonly Records[], note: Note): void {
  for (const { ofBlock, names } of all) {
    const record = ofBlock[index]
    if (!record) continue
    const size = Math.max(1, record.words)
    note(names.count, Math.log1p(record.count))
    note(names.share, record.words / total)
    note(names.mean, Math.log1p(record.words / record.count))
    note(names.sentences, record.sentences / size)
    note(names.linked, record.linked / size)
    note(names.first, (words[record.first] ?? 0) / total)
    note(names.last, (words[record.last + 1] ?? 0) / total)
  }
}

/** Elements share few classes: the kind is made once for each. */
function kindsOf(boxes: readonly Box[]): Kinds {
  const ofClasses = new Map<string, string>()
  const kinds = new Map<Box, string>()
  for (const box of boxes) {
    const { className, tagName } = box.element
    const classes = ofClasses.get(className) ?? firstClasses(className)
    ofClasses.set(className, classes)
    kinds.set(box, `${tagName}.${classes}`)
  }
  return kinds
}

function firstClasses(className: string): string {
  const classes = new Set(className.split(/[\t\n\f\r ]+/).filter(Boolean))
  return [...classes].sort().slice(0, 3).join('.')
}

function kindsAround(box: Box, levels: number, kinds: Kinds): string {
  let key = ''
  let around: Box | null = box
  for (let level = 0; around && level < levels; level++, around = around.parent) key += `${kinds.get(around) ?? ''}/`
  return key
}

function pathOf(box: Box): string {
  return chainOf(box)
    .map(({ element }) => element.tagName)
    .join('/')
}
