// What the page of a search engine without results is: the engine found nothing, asks for consent, a human or a
// sign-in, or the page cannot be read. Only this name of it leaves the page.
import { textOf } from '../blocks/text_of'
import { oneLine } from '../plain_text'
import { ASKS_CONSENT, ASKS_HUMAN } from '../notices/words'
import { asksForSignIn } from '../sign_in'

export type Verdict = 'none' | 'consent' | 'human' | 'sign_in' | 'unreadable'

/** A page with more words has content; a wall has few. */
const WALL_CHARACTERS = 6_000
/** Of a shorter page every word counts, of a longer one headings, buttons and paragraphs. */
const NOTICE_CHARACTERS = 1_500
const HEADING = 'h1, h2, h3, [role="heading"], legend, label, button, p, div > strong'
const CONSENT_HOST = /^consent\./
const CONSENT_PATH = /^\/(?:consent|cookie-?wall)\b/i
const HUMAN_PATH = /\/(?:sorry|showcaptcha|captcha|challenge|anomaly|turing)\b/i
const HUMAN_PARTS = [
  ...['captcha', 'turnstile', 'arkoselabs', 'challenge'].flatMap((word) => [
    `iframe[src*="${word}" i]`,
    `form[action*="${word}" i]`,
    `[id*="${word}" i]`,
    `[class*="${word}" i]`,
  ]),
  '[class*="anomaly" i]',
].join(', ')
const NONE_PARTS = '.no-results, .no-result, .result--no-result, .b_no, [class*="no-results" i], [class*="noresult" i]'

// English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Czech,
// Turkish, Russian, Japanese, Chinese and Korean.
const NONE_WORDS = [
  'no (?:more |web |search |matching )?(?:results|matches|pages|documents|hits)\\b|(?:did not|didn.t|does not|doesn.t) match any',
  '(?:could not|couldn.t|did not|didn.t|cannot|can.t) find (?:any|what)|nothing (?:was )?found|0 results|zero results|not many results',
  'keine (?:\\S+ ){0,3}(?:ergebnisse|treffer|resultate|dokumente)|nichts gefunden|keine mit deiner suchanfrage|stimmt mit keinem',
  'aucun (?:\\S+ ){0,2}(?:résultat|document)|rien trouvé|pas de résultat|sin resultados|ning[uú]n (?:resultado|documento)',
  'no (?:se|hemos|hay) (?:han )?(?:encontr\\S+|obtuv\\S+)? ?(?:ning\\S+ )?(?:resultados?|documentos?)|nessun (?:risultato|documento)',
  'non (?:ha prodotto|sono stati trovati|abbiamo trovato)|nenhum (?:resultado|documento)|não (?:encontr|há result|foram encontrad)\\S*',
  'geen (?:\\S+ )?(?:resultaten|documenten)|niets gevonden|brak wyników|nie znaleziono|nie zosta\\S+ odnalez|inga (?:\\S+ )?(?:resultat|träffar|dokument)',
  'ingen (?:\\S+ )?(?:resultater|treff|dokument)|ei (?:\\S+ )?(?:tuloksia|löyt)|žádné (?:výsledky|dokumenty)|nebyly nalezeny|sonuç (?:bulunamadı|yok)',
  'ничего не (?:нашлось|найдено)|не найдено|нет результатов|見つかりません|結果はありません|没有找到|未找到|找不到|沒有找到|無結果|검색결과가 없습니다|검색 결과가 없',
]
/** SearXNG says it when the engines that it asks refused, beside its words for no results. */
const ENGINES_SILENT = /engines cannot retrieve results|suspended: (?:too many|access|captcha)/i

const SAYS_NONE = new RegExp(NONE_WORDS.join('|'), 'i')

/** `visible` is the visible copy of `page`. The words of the question are no words of the engine. */
export function pageVerdict(visible: Document, page: Document): Verdict {
  const url = new URL(page.URL)
  if (CONSENT_HOST.test(url.hostname) || CONSENT_PATH.test(url.pathname)) return 'consent'
  if (HUMAN_PATH.test(url.pathname)) return 'human'
  const body = visible.body as HTMLElement | null
  const text = body ? oneLine(textOf(body)) : ''
  if (asksForSignIn(page, text)) return 'sign_in'
  const words = withoutQuestion(`${page.title} ${text.slice(0, WALL_CHARACTERS)}`, url)
  if (text.length < WALL_CHARACTERS) {
    const notice = text.length < NOTICE_CHARACTERS ? words : withoutQuestion(page.title + headingsOf(visible), url)
    if (ASKS_CONSENT.test(notice)) return 'consent'
    if (ASKS_HUMAN.test(notice) && !SAYS_NONE.test(notice)) return 'human'
  }
  if (ENGINES_SILENT.test(words)) return 'unreadable'
  if (SAYS_NONE.test(words) || visible.querySelector(NONE_PARTS)) return 'none'
  return page.querySelector(HUMAN_PARTS) ? 'human' : 'unreadable'
}

function headingsOf(visible: Document): string {
  return [...visible.querySelectorAll(HEADING)].map((element) => ` ${oneLine(element.textContent ?? '')}`).join('')
}

function withoutQuestion(text: string, url: URL): string {
  const values: string[] = []
  url.searchParams.forEach((value) => values.push(value))
  return values.filter((value) => value.length > 1).reduce((rest, value) => rest.replaceAll(value, ' '), text)
}
