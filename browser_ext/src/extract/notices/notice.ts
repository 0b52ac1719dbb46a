// What a page shows in place of its content, or of the rest of it: told by its few words, its title and its fields.
import { countWords } from '../blocks/blocks'
import type { Notice } from '../../protocol.gen'
import { oneLine } from '../plain_text'
import {
  ASKS_AGE,
  ASKS_CONSENT,
  ASKS_HUMAN,
  ASKS_MONEY,
  ASKS_SIGN_IN,
  CONSENT_CHOICE,
  CONSENT_SUBJECT,
  IS_ERROR,
  IS_LOADING,
  NEEDS_SCRIPTS,
  OTHER_REGION,
} from './words'

type Kind = Notice['kind']

/** `isWhole`: it stands in place of all content. */
export interface NoticeFound {
  kind: Kind
  isWhole: boolean
}

/** A page with more words than these has content. */
const NOTICE_WORDS = 160
const ERROR_WORDS = 260
const TEASER_WORDS = 60
/** With all that stands around it. */
const PAGE_WORDS = 200
const BARE_WORDS = 20
const FEW_WORDS = 30
/** A longer text is no beginning. */
const MOST_WORDS = 1_500
const BLANK_WORDS = 4
/** Longer lines are prose about notices. */
const LINE_CHARACTERS = 320
/** Longer titles and headings say no notice. */
const HEAD_CHARACTERS = 300
/** Shorter lines stand in many places of a page. */
const PROSE_CHARACTERS = 60
const NEAR_LINES = 8
const LINES_MOST = 2_000
const CONSENT_HOST = /^consent\./
const CONSENT_PATH = /^\/(?:consent|cookie-?wall)\b/i
const HUMAN_PATH = /\/(?:sorry|showcaptcha|captcha|challenge|anomaly|turing)\b/i
const HUMAN_PARTS = ['captcha', 'turnstile', 'arkoselabs', 'challenge-form', 'cf-challenge']
  .flatMap((word) => [`iframe[src*="${word}" i]`, `[id*="${word}" i]`, `[class*="${word}" i]`])
  .join(', ')
const USER_FIELDS =
  'input[type="password"], input[autocomplete~="username"], input[name="username" i], input[name="login" i], input[type="email"]'
const SIGN_IN_NAMES =
  /^(?:log ?in|sign ?in|log on|anmelden|anmeldung|einloggen|login|se connecter|connexion|iniciar sesión|accedi|entrar|inloggen|zaloguj(?: się)?|logowanie|logga in|log ind|logg inn|kirjaudu|přihlášení|přihlásit se|giriş(?: yap)?|войти|вход|ログイン|登录|登錄|로그인|تسجيل الدخول|התחברות|כניסה|เข้าสู่ระบบ|लॉग इन)\b|^(?:ログイン|登录|登錄|로그인|เข้าสู่ระบบ)/iu
const TITLE_PARTS = /\s+[|–—·•:»-]+\s+|[|｜–—·•»]/u
/** What a line of a short page says, in this order. */
const SAID: [Kind, RegExp][] = [
  ['human', ASKS_HUMAN],
  ['age', ASKS_AGE],
  ['region', OTHER_REGION],
  ['empty_app', NEEDS_SCRIPTS],
  ['consent', ASKS_CONSENT],
]

export interface Read {
  /** The words of the content, and their number. */
  text: string
  words: number
  /** All that is visible. */
  all: string
  /** The words of the box in front about cookies. */
  consent?: string
  /** A product that is not available is no error. */
  isOfShop?: boolean
}

/** `visible`: the visible copy of `page`. */
export function noticeOf(page: Document, visible: Document, read: Read): NoticeFound | null {
  const whole = read.words <= ERROR_WORDS ? wholeNotice(page, visible, read) : null
  if (whole) return { kind: whole, isWhole: true }
  return isCutForMoney(read) ? { kind: 'paywall', isWhole: read.words <= TEASER_WORDS } : null
}

function wholeNotice(page: Document, visible: Document, read: Read): Kind | null {
  const { words } = read
  const { hostname, pathname } = new URL(page.URL)
  const seenWords = countWords(read.all)
  const isShort = words <= NOTICE_WORDS
  // around content are a menu and forms that speak of signing in and of captchas
  const lines = linesOf(words <= FEW_WORDS && seenWords <= PAGE_WORDS ? read.all : read.text)
  const says = (pattern: RegExp) => lines.some((line) => pattern.test(line))
  const heads = headsOf(page, visible)
  const isAtConsent = CONSENT_HOST.test(hostname) || (CONSENT_PATH.test(pathname) && CONSENT_SUBJECT.test(read.text))
  if (isShort && isAtConsent) return 'consent'
  if (isShort && HUMAN_PATH.test(pathname)) return 'human'
  if (isShort && (says(ASKS_SIGN_IN) || hasSignIn(page, heads, seenWords))) return 'sign_in'
  const line = isShort
    ? SAID.find(([kind, pattern]) => says(pattern) && (kind !== 'age' || hasControl(page)))
    : undefined
  if (line) return line[0]
  if (seenWords <= BARE_WORDS && page.querySelector(HUMAN_PARTS)) return 'human'
  if (!read.isOfShop && heads.some((head) => IS_ERROR.test(head))) return 'error'
  if (isShort && isChoice(visible, read.text)) return 'consent'
  return words <= BLANK_WORDS ? blankKind(page, read) : null
}

/** A password on a page of few words, or an input for a name below a heading for it. */
function hasSignIn(page: Document, heads: readonly string[], seenWords: number): boolean {
  const fields = [...page.querySelectorAll<HTMLInputElement>(USER_FIELDS)].filter((input) => input.checkVisibility())
  if (fields.length === 0) return false
  const isForm = seenWords <= PAGE_WORDS && fields.some(({ type }) => type === 'password')
  return isForm || heads.some((head) => SIGN_IN_NAMES.test(head))
}

/** To be asked for an age is to be asked for an answer. */
function hasControl(page: Document): boolean {
  return page.querySelector('button, [role="button"], input, select, a[href]') !== null
}

/** All of the page is about a choice, and has its buttons. */
function isChoice(visible: Document, text: string): boolean {
  const controls = [...visible.querySelectorAll('button, [role="button"], a')].map((control) => control.textContent)
  return CONSENT_SUBJECT.test(text) && controls.filter((control) => CONSENT_CHOICE.test(control)).length > 1
}

/** Scripts have not filled the page: there is a place for it, or scripts alone. */
function blankKind(page: Document, { text, consent }: Read): Kind | null {
  if (consent) return 'consent'
  const isBlank = text.trim() === '' || (text.length <= HEAD_CHARACTERS && IS_LOADING.test(oneLine(text)))
  const place = page.querySelector('#root, #app, #__next, #__nuxt, app-root, [data-reactroot], [ng-app], [id$="-root"]')
  return isBlank && place && page.scripts.length > 0 && !page.querySelector('img, video, canvas, iframe, object, embed')
    ? 'empty_app'
    : null
}

/** Where the text ends, a line asks for money. Far from there, it speaks of something else. */
function isCutForMoney({ text, words, all }: Read): boolean {
  if (words > MOST_WORDS) return false
  const lines = linesOf(all, Infinity)
  const end = lines.findLastIndex((line) => line.length >= PROSE_CHARACTERS && text.includes(line))
  const around = lines.slice(Math.max(0, end - NEAR_LINES), end + 1 + NEAR_LINES)
  return around.some((line) => line.length <= LINE_CHARACTERS / 2 && ASKS_MONEY.test(line))
}

function linesOf(text: string, most = LINE_CHARACTERS): string[] {
  return text
    .split('\n', LINES_MOST)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= most)
}

/** The headings of the highest level on the page, and the parts of its title. */
function headsOf(page: Document, visible: Document): string[] {
  const headings = visible.querySelectorAll('h1').length > 0 ? 'h1' : 'h2, [role="heading"]'
  const texts = [...visible.querySelectorAll(headings)].slice(0, 3).map((heading) => heading.textContent)
  const titles = page.title.length <= HEAD_CHARACTERS ? [...page.title.split(TITLE_PARTS), page.title] : []
  return [...titles, ...texts.filter(({ length }) => length <= HEAD_CHARACTERS)]
    .map(oneLine)
    .filter((head) => head !== '')
}
