import { browser } from 'wxt/browser'
import { urlToStore } from '../hosts'
import type { Page } from '../protocol.gen'
import { siteOf, whyNot, type Tab } from '../sharing'
import type { Sharing } from './use_sharing'

/** The page beside the panel, with the box that sends it along, and all that would be sent. Nothing is read before it is ticked. */
export function SharePage({ sharing, server }: { sharing: Sharing; server: string }) {
  const { tab, isOn, page, problem, include } = sharing
  if (!tab) return null
  const why = whyNot(tab.url, server)
  return (
    <section class="share" aria-label="The page beside this panel">
      <label class="share-tick">
        <input
          id="include-page"
          type="checkbox"
          checked={isOn}
          disabled={why !== null}
          aria-describedby="share-page"
          onChange={(event) => void include(event.currentTarget.checked)}
        />
        <span>
          Include this page
          <span id="share-page" class="share-page">
            {why ?? <TabName tab={tab} />}
          </span>
        </span>
      </label>
      <p id="share-state" class={isOn && !page ? 'busy' : 'unseen'} role="status">
        {isOn && (page ? `${lengthOf(page)} will be sent with your message.` : 'Reading the page')}
      </p>
      {problem && (
        <p id="share-problem" class="problem" role="alert">
          {problem}
        </p>
      )}
      {page && <Preview page={page} />}
      {why === null && tab.url && (
        <a id="watch-page" class="share-watch" href={watchAddress(server, tab.url)} target="_blank" rel="noopener">
          Watch this page
        </a>
      )}
    </section>
  )
}

/** Where a watch is made of the page, without what looks like a secret in its address. */
function watchAddress(server: string, url: string): string {
  return `${server}/watches/?url=${encodeURIComponent(urlToStore(new URL(url)))}`
}

/** Title and icon are the page's own: text, and a picture that the browser already has. */
function TabName({ tab }: { tab: Tab }) {
  const icon = iconOf(tab)
  const site = siteOf(tab.url)
  return (
    <>
      {icon && <img src={icon} alt="" width={16} height={16} />}
      <span class="share-title">{tab.title || site}</span>
      <span class="share-site">{site}</span>
    </>
  )
}

function Preview({ page }: { page: Page }) {
  return (
    <details id="share-look">
      <summary>Look at what will be sent</summary>
      <div class="share-all" role="region" aria-label="What will be sent" tabIndex={0}>
        <dl>
          <dt>Title</dt>
          <dd>{page.title || 'none'}</dd>
          <dt>Site</dt>
          <dd>{siteOf(page.url)}</dd>
          <dt>Address</dt>
          <dd>{page.url}</dd>
          <dt>Text</dt>
          <dd>
            {lengthOf(page)}
            {page.truncated && ', cut there: the page is longer'}
          </dd>
          <dt>Links</dt>
          <dd>{page.links.length || 'none'}</dd>
          <dt>Picture</dt>
          <dd>{page.image ? <img src={page.image} alt="The page’s own picture" /> : 'none'}</dd>
        </dl>
        <div class="share-text">{page.text}</div>
        {page.links.length > 0 && <Links page={page} />}
      </div>
    </details>
  )
}

/** As text: looking at them opens nothing. */
function Links({ page }: { page: Page }) {
  return (
    <ol class="share-links" aria-label="Its links">
      {page.links.map(({ text, url }, place) => (
        <li key={place}>
          {text} <span>{url}</span>
        </li>
      ))}
    </ol>
  )
}

function lengthOf(page: Page): string {
  const characters = [...page.text].length
  return `${characters.toLocaleString()} ${characters === 1 ? 'character' : 'characters'}`
}

/** Never the site's own address: looking at the panel must not ask a site for anything. */
function iconOf({ favIconUrl, url }: Tab): string | null {
  if (favIconUrl?.startsWith('data:image/')) return favIconUrl
  if (import.meta.env.FIREFOX || !url) return null
  return browser.runtime.getURL(`/_favicon/?pageUrl=${encodeURIComponent(url)}&size=32` as '/')
}
