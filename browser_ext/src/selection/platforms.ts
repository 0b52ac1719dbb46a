// Where words go to, told by code: it says how they should sound, and how many characters there are.
import { isTextField } from '../acting/actions/text'
import type { Field } from './chosen'
import type { Platform } from './wire'

interface Place {
  platform: Platform
  limit?: number
}

const PLACES: [host: RegExp, place: Place][] = [
  [
    /^(mail\.google|outlook\.(live|office|office365)|mail\.proton|mail\.yahoo|app\.fastmail)\.(com|me)$/,
    { platform: 'mail' },
  ],
  [/(^|\.)(slack|discord|messenger|teams\.microsoft)\.com$|^web\.(whatsapp\.com|telegram\.org)$/, { platform: 'chat' }],
  [/^(x|twitter)\.com$/, { platform: 'social', limit: 280 }],
  [/^bsky\.app$/, { platform: 'social', limit: 300 }],
  [/(^|\.)mastodon\.\w+$/, { platform: 'social', limit: 500 }],
  [/(^|\.)linkedin\.com$/, { platform: 'social', limit: 3_000 }],
  [/(^|\.)(facebook|instagram|threads)\.(com|net)$/, { platform: 'social' }],
  [/^(github|gitlab|bitbucket)\.(com|org)$/, { platform: 'code' }],
]
const SEARCH = 'input[type=search], [role=searchbox], form[role=search] input, search input'
const REVIEW = /\breview|\bbewertung|\brezension/i

export function placeOfWords(host: string, field: Field | null): Place {
  if (field?.matches(SEARCH)) return { platform: 'search' }
  const place = PLACES.find(([pattern]) => pattern.test(host.replace(/^www\./, '')))?.[1]
  if (place) return place
  if (!field) return { platform: 'text' }
  if (REVIEW.test(`${field.id} ${field.getAttribute('name') ?? ''} ${field.getAttribute('aria-label') ?? ''}`))
    return { platform: 'review' }
  return { platform: isTextField(field) && field.form ? 'form' : 'text' }
}
