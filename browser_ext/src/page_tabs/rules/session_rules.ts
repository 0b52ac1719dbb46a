// What a page of ours may not do, whatever its grant: save a file, open a tab. In a clean session of Chrome, which has
// no containers, it may also know nothing of the owner: a sandbox keeps it from storage, workers and cookies, and rules
// of the browser take the owner's logins off every request.
import { isExact } from '../../grants/hosts'
import type { GrantInfo } from '../../protocol.gen'
import type { NewRule, Rule } from './browser_rules'

type Session = GrantInfo['session']

/** An allowing rule hides those below it. */
const HIGHEST = 10_000
const TAB_ID_NONE = -1
const DOCUMENTS = ['main_frame', 'sub_frame']
const EVERYTHING = [
  ...DOCUMENTS,
  'stylesheet',
  'script',
  'image',
  'font',
  'object',
  'xmlhttprequest',
  'ping',
  'csp_report',
  'media',
  'websocket',
  'other',
]
const PAGES = ['text/*', 'application/xhtml*', 'application/xml*']

/** A policy that a page gets besides its own. It allows no downloads, no popups and no dialogs. */
const ORDINARY = 'sandbox allow-scripts allow-same-origin allow-forms allow-top-navigation'
/** Also without an origin, and so without cookies, storage and workers. */
const WITHOUT_ORIGIN = 'sandbox allow-scripts'

/** Firefox keeps a clean page in a container, which needs its origin. */
export function sandboxOf(session: Session): string {
  return session === 'clean' && !import.meta.env.FIREFOX ? WITHOUT_ORIGIN : ORDINARY
}

/** Rules for the tab, without ids. `ownId` is the extension's. */
export function sessionRules(tabId: number, url: URL, session: Session, ownId: string): NewRule[] {
  const ordinary = [sandboxRule(tabId, session), ...fileRules(tabId, ownId)]
  if (session === 'owner') return ordinary
  return [...ordinary, bareRule({ tabIds: [tabId] }), readableRule(tabId, url), siteRule(tabId, url)]
}

function sandboxRule(tabId: number, session: Session): NewRule {
  const responseHeaders = [{ header: 'content-security-policy', operation: 'append', value: sandboxOf(session) }]
  const condition = { tabIds: [tabId], resourceTypes: DOCUMENTS }
  return { priority: HIGHEST, action: { type: 'modifyHeaders', responseHeaders }, condition } as NewRule
}

/**
 * Stop a file that our own request leads to. What the page itself would save, its sandbox stops, and the page stays.
 */
function fileRules(tabId: number, ownId: string): NewRule[] {
  const condition = { tabIds: [tabId], resourceTypes: ['main_frame'], initiatorDomains: [ownId] }
  const isAttached = { responseHeaders: [{ header: 'content-disposition', values: ['attachment*'] }] }
  const isNoPage = {
    responseHeaders: [{ header: 'content-type' }],
    excludedResponseHeaders: [{ header: 'content-type', values: PAGES }],
  }
  return [isAttached, isNoPage].map(
    (file) => ({ priority: HIGHEST, action: { type: 'block' }, condition: { ...condition, ...file } }) as NewRule,
  )
}

/**
 * Remove cookies from requests and responses. The browser adds a password of HTTP's own after the rules, unless the
 * header is there: an empty one.
 */
export function bareRule(where: Rule['condition']): NewRule {
  const action = {
    type: 'modifyHeaders',
    requestHeaders: [
      { header: 'cookie', operation: 'remove' },
      { header: 'authorization', operation: 'set', value: '' },
    ],
    responseHeaders: [{ header: 'set-cookie', operation: 'remove' }],
  }
  return { priority: HIGHEST, action, condition: { ...where, resourceTypes: EVERYTHING } } as NewRule
}

/** A page without an origin may read what its own site answers: its scripts, and what they fetch. */
function readableRule(tabId: number, url: URL): NewRule {
  const allow = (name: string, value: string) => ({
    header: `access-control-allow-${name}`,
    operation: 'set',
    value,
  })
  const responseHeaders = [
    allow('origin', 'null'),
    allow('credentials', 'true'),
    allow('headers', '*'),
    allow('methods', '*'),
  ]
  const resourceTypes = EVERYTHING.filter((type) => !DOCUMENTS.includes(type))
  const condition = { tabIds: [tabId], resourceTypes, ...onSite(url) }
  return { priority: HIGHEST, action: { type: 'modifyHeaders', responseHeaders }, condition } as NewRule
}

/** A worker of the site, which may answer for it, makes its requests outside of any tab. */
function siteRule(tabId: number, url: URL): NewRule {
  return bareRule({ tabIds: [tabId, TAB_ID_NONE], initiatorDomains: [siteOf(url)] })
}

/**
 * What a page leaves behind (`keepalive`, beacons) has neither a tab nor an origin, so it belongs to no site. Workers
 * of the owner's own tabs have one. `spared` are the hosts of these tabs.
 */
export function tablessRule(spared: readonly string[]): NewRule {
  return bareRule({ tabIds: [TAB_ID_NONE], domainType: 'thirdParty', excludedInitiatorDomains: [...spared] })
}

export function isTabless({ condition }: Rule): boolean {
  return condition.tabIds?.every((id) => id === TAB_ID_NONE) ?? false
}

function onSite(url: URL): Rule['condition'] {
  return isExact(url.hostname) ? { urlFilter: `|${url.origin}/` } : { requestDomains: [siteOf(url)] }
}

function siteOf({ hostname }: URL): string {
  return hostname.replace(/^www\./, '').replace(/\.$/, '')
}
