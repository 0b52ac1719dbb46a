// Lengths and numbers of views, as lists of videos write them.
import { withPlainDigits } from '../metadata/values'

const LENGTH = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/
const COUNT_CHARACTERS = 200
/** Short words for a thousand, a million and so on. In Turkish B is a thousand. */
const SCALES: [RegExp, number][] = [
  [/^(k|tsd|tys|tis|tūkst|тыс|тис|хил|mil|rb|bin|nghìn|ngàn|พัน|천|千|हज़ार|हजार|χιλ|ألف|t)$/, 1e3],
  [/^(万|萬|만|หมื่น)$/, 1e4],
  [/^(lakh|lac|लाख|แสน|লাখ|லட்சம்)$/, 1e5],
  [/^(m|mio|mill|mln|mn|mi|jt|juta|tr|triệu|млн|εκ|ล้าน|مليون|milj|milyon|millones|millions?|milhões)$/, 1e6],
  [/^(crore|cr|करोड़|কোটি)$/, 1e7],
  [/^(億|亿|억)$/, 1e8],
  [/^(b|bn|mrd|mld|md|млрд|mia|δισ|bi|مليار|tỷ)$/, 1e9],
]
const VIEWED = [
  'views?',
  'aufrufe?',
  'vues?',
  'visualizaci(?:ones|ón)',
  'vistas',
  'reproducciones',
  'visualizzazion[ei]',
  'weergaven?',
  'visualiza(?:ções|ção)',
  'wyświetle(?:ń|nia|nie)',
  'просмотр(?:ов|а|ы)?',
  'перегляд(?:ів|и)?',
  'visning(?:ar|er)?',
  'katselukertaa',
  'zhlédnutí',
  'zobrazen(?:í|ia)',
  'megtekintés',
  '(?:de )?vizionări',
  'προβολ(?:ές|ή)',
  'görüntüleme',
  'مشاهدة',
  'مشاهدات',
  'צפיות',
  'बार देखा गया',
  'lượt xem',
  'x ditonton',
  'kali ditonton',
  'tontonan',
  '次观看',
  '次觀看',
  '回視聴',
  '回の視聴',
  '회 시청',
  'ครั้ง',
  'বার দেখা হয়েছে',
].join('|')
const LABEL = String.raw`조회수|观看次数|觀看次數|การดู|ดู`
const COUNT = String.raw`(\d[\d.,'’٫٬\s]{0,20}?)\s?(\p{L}[\p{L}\p{M}]{0,8}?)?\.?`
const VIEWS = new RegExp(String.raw`^${COUNT}\s?(?:d[ei] )?(${VIEWED})(?=[.,]?(?:[\s·•]|$))`, 'iu')
const VIEWS_LABELLED = new RegExp(
  String.raw`^(?:${LABEL})\s?[:：]?\s?${COUNT}(?:\s?(?:회|次|ครั้ง))?(?=[.,]?(?:[\s·•]|$))`,
  'iu',
)

/** "12:34" or "1:02:03". */
export function secondsOf(text: string): number | null {
  const [, first = '', second = '', third] = LENGTH.exec(text.trim()) ?? []
  if (first === '') return null
  return third === undefined
    ? Number(first) * 60 + Number(second)
    : Number(first) * 3600 + Number(second) * 60 + Number(third)
}

/** "1.2M views", "12,345 views 3 years ago", "1.234 Aufrufe", "12 lakh views", "조회수 1.2만회". */
export function viewsOf(text: string): number | null {
  const line = withPlainDigits(text.trim().slice(0, COUNT_CHARACTERS))
    .replaceAll('٫', '.')
    .replace(/[\u200e\u200f]/g, '')
  const [, digits = '', word = '', viewed = ''] = VIEWS.exec(line) ?? VIEWS_LABELLED.exec(line) ?? []
  if (digits === '') return null
  if (word === '') return whole(digits.replace(/\D/g, ''))
  const isTurkish = viewed.toLowerCase() === 'görüntüleme' && word === 'B'
  const times = isTurkish ? 1e3 : SCALES.find(([words]) => words.test(word.toLowerCase()))?.[1]
  return times === undefined ? null : whole(String(Math.round(Number(digits.trim().replace(',', '.')) * times)))
}

function whole(digits: string): number | null {
  const number = Number(digits)
  return digits !== '' && Number.isSafeInteger(number) && number < 1e12 ? number : null
}
