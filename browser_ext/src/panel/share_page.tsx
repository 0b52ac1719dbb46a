import { browser } from 'wxt/browser'
import type { Page } from '../protocol.gen'
import { say, sayCount } from '../say'
import { canInclude, siteOf, type Tab } from '../state/sharing'
import type { Sharing } from './use_sharing'

/** A box to include the page beside the panel. Nothing is read before it is ticked. */
export function PageChip({ sharing: { tab, isOn, include }, server }: { sharing: Sharing; server: string }) {
  if (!tab?.url || !canInclude(tab.url, server)) return null
  const site = siteOf(tab.url)
  return (
    <label class="page-chip" title={`${say('share_include')}: ${tab.title || site} (${site})`}>
      <input
        id="include-page"
        type="checkbox"
        checked={isOn}
        onChange={(event) => void include(event.currentTarget.checked)}
      />
      <span class="unseen">{say('share_include')}: </span>
      <TabName tab={tab} site={site} />
    </label>
  )
}

/** What became of the ticked box, and a preview of all that would be sent. */
export function SharedPage({ sharing: { isOn, page, problem } }: { sharing: Sharing }) {
  return (
    <section class="share" aria-label={say('share_beside')}>
      <p id="share-state" class={isOn && !page ? 'busy' : 'unseen'} role="status">
        {isOn && (page ? sayCount('share_will_send', charactersOf(page)) : say('share_reading'))}
      </p>
      {problem && (
        <p id="share-problem" class="problem" role="alert">
          {problem}
        </p>
      )}
      {page && <Preview page={page} />}
    </section>
  )
}

/** The passage that goes with the next message instead of the whole page. */
export function Passage({ page, onLeave }: { page: Page; onLeave: () => void }) {
  return (
    <section class="share" aria-label={say('share_passage')}>
      <div class="passage">
        <span class="share-page">
          <b>{say('share_passage')}</b>
          <span class="share-title" dir="auto">
            {page.title || siteOf(page.url)}
          </span>
        </span>
        <button
          id="passage-off"
          type="button"
          class="button quiet"
          aria-label={say('share_leave')}
          title={say('share_leave')}
          onClick={onLeave}
        >
          <span aria-hidden="true">×</span>
        </button>
      </div>
      <Preview page={page} />
    </section>
  )
}

/** Title and icon come from the page: text, and a picture that the browser already has. */
function TabName({ tab, site }: { tab: Tab; site: string }) {
  const icon = iconOf(tab)
  return (
    <span id="share-page" class="share-page">
      {icon && <img src={icon} alt="" width={16} height={16} />}
      <span class="share-title" dir="auto">
        {tab.title || site}
      </span>
      {tab.title && <span class="share-site">{site}</span>}
    </span>
  )
}

function Preview({ page }: { page: Page }) {
  return (
    <details id="share-look">
      <summary>{say('share_look')}</summary>
      <div class="share-all" role="region" aria-label={say('share_what')} tabIndex={0}>
        <dl>
          <dt>{say('share_title')}</dt>
          <dd dir="auto">{page.title || say('no_title')}</dd>
          <dt>{say('share_site')}</dt>
          <dd>{siteOf(page.url)}</dd>
          <dt>{say('share_address')}</dt>
          <dd>{page.url}</dd>
          <dt>{say('share_text')}</dt>
          <dd>{page.truncated ? say('share_cut', lengthOf(page)) : lengthOf(page)}</dd>
          <dt>{say('share_links')}</dt>
          <dd>{page.links.length || say('none')}</dd>
          <dt>{say('share_picture')}</dt>
          <dd>{page.image ? <img src={page.image} alt={say('share_picture_alt')} /> : say('no_picture_there')}</dd>
        </dl>
        <div class="share-text" dir="auto">
          {page.text}
        </div>
        {page.links.length > 0 && <Links page={page} />}
      </div>
    </details>
  )
}

/** Shown as text: looking at them opens nothing. */
function Links({ page }: { page: Page }) {
  return (
    <ol class="share-links" aria-label={say('share_its_links')}>
      {page.links.map(({ text, url }, place) => (
        <li key={place}>
          {text} <span>{url}</span>
        </li>
      ))}
    </ol>
  )
}

function charactersOf(page: Page): number {
  return Array.from(page.text).length
}

function lengthOf(page: Page): string {
  return sayCount('characters', charactersOf(page))
}

/** Never an address of the site: opening the panel must send no request to a site. */
function iconOf({ favIconUrl, url }: Tab): string | null {
  if (favIconUrl?.startsWith('data:image/')) return favIconUrl
  if (import.meta.env.FIREFOX || !url) return null
  return browser.runtime.getURL(`/_favicon/?pageUrl=${encodeURIComponent(url)}&size=32` as '/')
}
