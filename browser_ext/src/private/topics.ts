// Whether a page is about health, money or sex. Rather too much than too little is found.
// thoughts/text/private/topics.py has the same rules.
import data from '../../../thoughts/text/private/topics.json'
import { blank, entriesIn, fold, Words } from './words'

const TEXT_CHARACTERS = 4_000
const sites = new Set(Object.values(data.sites).flatMap((lines) => lines.join(' ').split(' ')))
const parts = Object.values(data.site_parts).flatMap((line) => line.split(' '))
const topics = Object.values(data.words).map((languages) => new Words(entriesIn(Object.values(languages).flat())))
const harmless = new Words(entriesIn(data.harmless))

/** The path may hold a query. */
export function isPrivateTopic(domain: string, path: string, title: string): boolean {
  const labels = domain.split('.')
  if (labels.some((_label, at) => sites.has(labels.slice(at).join('.')))) return true
  if (parts.some((part) => domain.includes(part))) return true
  const whole = `${title} ${domain} ${path}`.normalize('NFKC').replace(/\s+/g, ' ').trim().slice(0, TEXT_CHARACTERS)
  const folded = fold(whole)
  const text = blank(folded, harmless.positions(folded))
  return topics.some((words) => words.hasAny(text))
}
