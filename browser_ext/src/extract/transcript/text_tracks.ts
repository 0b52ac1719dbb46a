// Cues of the captions of the media that a page shows. The browser loads and parses them, by the page's own rights.
import { overlap, isTiny } from '../visibility/box'
import { REACH } from '../visibility/clips'
import { wordsOfCue } from './caption_files'
import { CUE_CHARACTERS, CUES_MOST, WORDS_MOST, type Cue } from './cues'
import { isOfLanguage } from './language'

const MEDIA_MOST = 5
const KINDS = new Set(['captions', 'subtitles'])
const LOADED = 2

/** Return the cues of the first media that has captions in the page's language, or default ones. */
export async function cuesOfMedia(page: Document, signal: AbortSignal): Promise<Cue[]> {
  const media = [...page.querySelectorAll<HTMLMediaElement>('video, audio')].filter(isShown).slice(0, MEDIA_MOST)
  for (const element of media) {
    for (const track of tracksToRead(element, page)) {
      const cues = await cuesOf(track, element, signal)
      if (cues.length > 0) return cues
      if (signal.aborted) return []
    }
  }
  return []
}

/** Words of a player that nobody can see are as hidden as any others. */
function isShown(media: HTMLMediaElement): boolean {
  const visibly = { checkOpacity: true, checkVisibilityCSS: true, opacityProperty: true, visibilityProperty: true }
  const { left, top, right, bottom } = media.getBoundingClientRect()
  const [x, y] = [window.scrollX, window.scrollY]
  const box = { left: left + x, top: top + y, right: right + x, bottom: bottom + y }
  return media.checkVisibility(visibly) && !isTiny(overlap(box, REACH))
}

/** What the owner switched on first, then the page's language, then the default. */
function tracksToRead(media: HTMLMediaElement, page: Document): TextTrack[] {
  const captions = [...media.textTracks].filter(({ kind }) => KINDS.has(kind))
  const showing = captions.filter(({ mode }) => mode === 'showing')
  const own = captions.filter(({ language }) => isOfLanguage(language, page))
  const byDefault = captions.filter((track) => elementOf(track, media)?.default)
  return [...new Set([...showing, ...own, ...byDefault])]
}

function elementOf(track: TextTrack, media: HTMLMediaElement): HTMLTrackElement | undefined {
  return [...media.querySelectorAll('track')].find((element) => element.track === track)
}

/** A track that is switched off has no cues: it is hidden for as long as it loads, which shows nothing. */
async function cuesOf(track: TextTrack, media: HTMLMediaElement, signal: AbortSignal): Promise<Cue[]> {
  const { mode } = track
  const element = elementOf(track, media)
  try {
    const isLoaded = element && element.readyState < LOADED ? loadedIn(element, signal) : null
    if (mode === 'disabled') track.mode = 'hidden'
    await isLoaded
    return cuesFrom(track.cues)
  } finally {
    if (track.mode !== mode) track.mode = mode
  }
}

/** Resolves when it is loaded, cannot be loaded, or takes too long. */
function loadedIn(element: HTMLTrackElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve()
    element.addEventListener('load', done, { once: true, signal })
    element.addEventListener('error', done, { once: true, signal })
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}

function cuesFrom(list: TextTrackCueList | null): Cue[] {
  const cues: Cue[] = []
  const count = Math.min(list?.length ?? 0, CUES_MOST)
  let left = WORDS_MOST
  for (let at = 0; at < count && left > 0; at++) {
    const cue = list?.[at]
    if (!cue || !('text' in cue)) continue
    const words = String(cue.text).slice(0, CUE_CHARACTERS)
    cues.push({ start_s: cue.startTime, text: wordsOfCue(words) })
    left -= words.length
  }
  return cues
}
