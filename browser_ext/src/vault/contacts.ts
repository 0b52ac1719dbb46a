// How those whom a page names can be reached: mail, telephones, and profiles of six networks. Each is checked by its
// form.
import type { Contacts } from '../protocol.gen'
import { webUrl } from '../grants/hosts'

const MOST = 20
const MAIL_CHARACTERS = 254
const PROFILE_CHARACTERS = 200
const MAIL = /[a-z0-9][a-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}/i
const MAILS = new RegExp(`(?<![\\w.@/:+-])${MAIL.source}(?![\\w@-])`, 'gi')
/** Names of pictures look like addresses: icon@2x.png. */
const FILE_ENDINGS = /\.(?:png|jpe?g|gif|webp|svg|avif|css|js|html?|pdf)$/i
/** With a country code, or after a word for a telephone. Dates, prices and numbers of orders are no telephones. */
const PHONES =
  /(?<![\w+/.,-])(?:\+[1-9]|00[1-9]|(?<=(?:tel|phone|fon|t[ée]l[ée]phone|call|mobile?|handy|cell|fax|☎|📞)[.:]{0,2}\s{0,3}(?:\+?\d{0,3}\s?))(?=[\d(]))[\d\s()./‑–-]{5,22}\d(?!\w|\s?[%€$£]|[.,]\d)/giu
const DATE = /\b\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b|\b(?:19|20)\d\d-\d\d-\d\d\b/
const DIGITS_LEAST = 7
const DIGITS_MOST = 15
/** On other sites than these, an address such as /@ada is that of a person in a network of many servers. */
const NO_FEDERATION =
  /(?:^|\.)(?:medium\.com|youtube\.com|tiktok\.com|threads\.(?:net|com)|pinterest\.[a-z]+|flickr\.com)$/
const FEDERATED = /^\/@(\w[\w.-]{0,63}(?:@(?:[a-z0-9-]+\.)+[a-z]{2,24})?)\/?$/i

interface Network {
  host: RegExp
  /** The path of a profile. */
  path: RegExp
  /** First parts of paths that are no profiles. */
  not?: RegExp
}

const NETWORKS: Network[] = [
  { host: /^(?:[a-z]{2}\.)?linkedin\.com$/, path: /^\/(?:in|company|school|showcase)\/[\w%.-]{2,120}$/ },
  {
    host: /^(?:mobile\.)?(?:x|twitter)\.com$/,
    path: /^\/\w{1,15}$/,
    not: /^\/(?:home|intent|share|search|hashtag|i|login|signup|explore|settings|privacy|tos|about|compose|messages)$/i,
  },
  {
    host: /^(?:[a-z]{1,2}(?:-[a-z]{2})?\.)?facebook\.com$/,
    path: /^\/(?:profile\.php|[a-z0-9.-]{5,60})$/i,
    not: /^\/(?:share|sharer(?:\.php)?|dialog|plugins|login(?:\.php)?|help|policies|privacy|groups|events|watch|marketplace|hashtag|photo(?:\.php)?|story\.php|permalink\.php|recover)$/i,
  },
  {
    host: /^instagram\.com$/,
    path: /^\/[a-z0-9._]{1,30}$/i,
    not: /^\/(?:p|reel|reels|explore|accounts|stories|direct|about|legal|tv)$/i,
  },
  {
    host: /^github\.com$/,
    path: /^\/[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){0,38}$/i,
    not: /^\/(?:features|login|signup|join|about|pricing|topics|marketplace|sponsors|settings|orgs|explore|trending|notifications|search|security|contact|site|readme|collections|events|enterprise|team|customer-stories|new|pulls|issues|apps|codespaces)$/i,
  },
]

/**
 * `addresses`: where the links of the page lead, as they are written. On a network, only the page itself is a profile.
 */
export function contactsOf(addresses: readonly string[], text: string, pageUrl: string): Contacts {
  const page = webUrl(pageUrl)
  const links = addresses.flatMap((address) => absolute(address, pageUrl) ?? [])
  const others = links.filter((url) => !page || networkOf(url) === null || networkOf(url) !== networkOf(page))
  return {
    emails: first([...addresses.flatMap(mailsOfLink), ...(text.match(MAILS) ?? []).flatMap(mailOf)]),
    phones: first([...addresses.flatMap(phoneOfLink), ...(text.match(PHONES) ?? []).flatMap(phoneOf)]),
    profiles: first([...(page ? [page] : []), ...others].flatMap((url) => profileOf(url) ?? [])),
  }
}

export function hasContacts({ emails, phones, profiles }: Contacts): boolean {
  return [emails, phones, profiles].some((list) => (list?.length ?? 0) > 0)
}

function first(list: readonly string[]): string[] {
  return [...new Set(list)].slice(0, MOST)
}

function absolute(address: string, base: string): URL | null {
  return URL.canParse(address, base) ? webUrl(new URL(address, base).href) : null
}

function mailsOfLink(address: string): string[] {
  if (!/^mailto:/i.test(address)) return []
  const [receivers = ''] = address.slice('mailto:'.length).split('?')
  return decoded(receivers).split(/[,;]/).flatMap(mailOf)
}

function mailOf(text: string): string[] {
  const mail = text.trim()
  const [whole] = MAIL.exec(mail) ?? []
  if (whole !== mail || mail.length > MAIL_CHARACTERS || FILE_ENDINGS.test(mail)) return []
  const at = mail.lastIndexOf('@')
  return [mail.slice(0, at) + mail.slice(at).toLowerCase()]
}

function phoneOfLink(address: string): string[] {
  if (!/^tel:/i.test(address)) return []
  const [number = ''] = decoded(address.slice('tel:'.length)).split(/[;?,]/)
  return /^[\d\s()./+‑–-]+$/.test(number) ? digitsOf(number, 5) : []
}

function phoneOf(number: string): string[] {
  return DATE.test(number) ? [] : digitsOf(number)
}

/** `(0)` after a country code is not dialled. */
function digitsOf(text: string, least = DIGITS_LEAST): string[] {
  const number = text.trim().replace(/^00(?=[1-9])/, '+')
  const sign = number.startsWith('+') ? '+' : ''
  const digits = (sign ? number.replace('(0)', '') : number).replace(/\D/g, '')
  return digits.length >= least && digits.length <= DIGITS_MOST ? [sign + digits] : []
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hostIn(url: URL): string {
  return url.hostname.replace(/^www\./, '')
}

function networkOf(url: URL): Network | null {
  return NETWORKS.find(({ host }) => host.test(hostIn(url))) ?? null
}

/** Its address without what follows the name. */
function profileOf(url: URL): string | null {
  const network = networkOf(url)
  const path = url.pathname.replace(/\/$/, '')
  if (!network) return federated(url)
  if (!network.path.test(path) || network.not?.test(path)) return null
  const id = /^\/profile\.php$/i.test(path) ? url.searchParams.get('id') : null
  if (/\.php$/i.test(path) && !/^\d{1,20}$/.test(id ?? '')) return null
  return fitting(`https://${hostIn(url)}${path}${id ? `?id=${id}` : ''}`)
}

function federated(url: URL): string | null {
  const [, name] = FEDERATED.exec(url.pathname) ?? []
  const isOne = name && !url.port && url.protocol === 'https:' && !NO_FEDERATION.test(url.hostname)
  return isOne ? fitting(`https://${url.hostname}/@${name}`) : null
}

function fitting(profile: string): string | null {
  return profile.length <= PROFILE_CHARACTERS ? profile : null
}
