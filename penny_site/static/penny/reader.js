// The reader of a find: the sentence under the pointer, the finger or the focus shows its passage. n and p walk
// through. Without this script a style shows it, and the numbers lead to the sentence.
import { elementOf } from './base.js'

const WIDE = matchMedia('(min-width: 1000px)') // as in reader.css
const HOVER_MS = 120 // the pointer may cross a sentence on its way to the margin

/** @param {Element} reader */
const citing = (reader) => [...reader.querySelectorAll('.sentence:has(.ref)')]
/** @param {Element} reader */
const currentOf = (reader) => reader.querySelector('.sentence.current')

/**
 * Prepare a reader that was just shown.
 * @param {Element} reader
 * @param {string} anchor the id of the sentence to begin at, '' for none
 */
export function startReader(reader, anchor = '') {
  reader.classList.add('lively')
  for (const link of reader.querySelectorAll('.ref')) link.ariaExpanded = 'false'
  const first =
    citing(reader).find((sentence) => sentence.id === anchor) ?? (WIDE.matches || anchor ? citing(reader)[0] : null)
  if (first) show(reader, first)
  if (anchor) first?.scrollIntoView({ block: 'center' })
}

/**
 * @param {Element} reader
 * @param {Element | null | undefined} sentence null: none
 */
function show(reader, sentence) {
  const before = currentOf(reader)
  before?.classList.remove('current')
  before?.querySelector('.ref')?.setAttribute('aria-expanded', 'false')
  if (!sentence) return
  sentence.classList.add('current')
  sentence.querySelector('.ref')?.setAttribute('aria-expanded', 'true')
  place(reader, sentence)
}

/**
 * Put the passage beside the first line of its sentence, but not below the end of the text.
 * @param {Element} reader
 * @param {Element} sentence
 */
function place(reader, sentence) {
  const passage = sentence.nextElementSibling
  if (!(passage instanceof HTMLElement)) return
  passage.style.top = ''
  if (!WIDE.matches) return
  const text = reader.querySelector('.text')?.getBoundingClientRect()
  const line = sentence.getClientRects()[0]
  if (!text || !line) return
  const beside = line.top - text.top
  passage.style.top = `${Math.max(0, Math.min(beside, text.height - passage.offsetHeight))}px`
}

/**
 * Show the passage of the next or previous sentence that has one.
 * @param {Element} reader
 * @param {number} step 1 or -1
 */
export function walk(reader, step) {
  const sentences = citing(reader)
  const at = sentences.findIndex((sentence) => sentence === currentOf(reader))
  const next = sentences[at < 0 ? (step > 0 ? 0 : sentences.length - 1) : at + step]
  if (!next) return
  next.querySelector('.ref')?.focus({ preventScroll: true })
  show(reader, next)
  next.scrollIntoView({ block: 'center' })
}

/** @type {number | undefined} */
let hovering
/** @param {Event} event */
const sentenceOf = (event) => elementOf(event)?.closest('.lively .sentence:has(.ref)')
/** @param {Element} sentence */
const readerOf = (sentence) => /** @type {Element} */ (sentence.closest('.reader'))

document.addEventListener('pointerover', (event) => {
  clearTimeout(hovering)
  const sentence = event.pointerType === 'mouse' && sentenceOf(event)
  if (sentence && WIDE.matches)
    hovering = setTimeout(() => sentence.isConnected && show(readerOf(sentence), sentence), HOVER_MS)
})
document.addEventListener('focusin', (event) => {
  const sentence = sentenceOf(event)
  if (sentence && elementOf(event)?.matches(':focus-visible')) show(readerOf(sentence), sentence)
})
// A touch shows the passage below its sentence; another one takes it away.
document.addEventListener('click', (event) => {
  const sentence = sentenceOf(event)
  if (!sentence || getSelection()?.isCollapsed === false) return
  event.preventDefault()
  const isShown = sentence.classList.contains('current')
  show(readerOf(sentence), isShown && !WIDE.matches ? null : sentence)
})
addEventListener('resize', () => {
  for (const sentence of document.querySelectorAll('.sentence.current')) place(readerOf(sentence), sentence)
})

const onPage = document.querySelector('main > .reading > .reader')
if (onPage) startReader(onPage, location.hash.slice(1))
