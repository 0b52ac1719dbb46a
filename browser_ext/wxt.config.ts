import { resolve } from 'node:path'
import { defineConfig, type UserManifest } from 'wxt'

// The public half of a key whose private half was thrown away: it fixes the extension's id in Chrome, and nothing else.
const CHROME_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuemA5tvHZoo9ElAGzGjd0/vXoIjEn9wRqBVUwvvLY64jFX7wHTHiON+f9eMj37yay5Eshq6r' +
  'Y9z/ZUrbfxLwR008J4ENx0dYuGgdVtCVEJUtEIgLQKpOyXC7wWTtlx/vLlyZo539s4bs4d1cIbJbMqg6Zl7lzpNEwl21hsnuyQAPBjd0xG2i1oJIc1nk' +
  '12+n+Lvcf0h6EHC08tqzRl09ZG/bMkHdapagv5UXra22y0l/LFaxnA4wsKidU2aWjB4WlhtWhVuIQNN6/b1QfrmgZ8Iv1ggQx4TWqsemsTtZgeR4mPq1' +
  '38OGVzlIJrgedMt+ORjdxtF1zHdJheGIAnyuBwIDAQAB'
const GECKO_ID = 'penny-agent@localhost.invalid'
const WEB_PAGES = ['http://*/*', 'https://*/*']

// A server may be any https host or a loopback address; that plain http is refused elsewhere is checked in code.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  'connect-src http: https: ws: wss:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const chrome = {
  key: CHROME_KEY,
  minimum_chrome_version: '120',
  action: { default_title: 'Penny' },
  permissions: ['storage', 'scripting', 'webRequest', 'webNavigation', 'declarativeNetRequest', 'alarms', 'sidePanel', 'favicon'],
  optional_permissions: ['history'],
  host_permissions: WEB_PAGES,
} satisfies Partial<UserManifest>

const firefox = {
  browser_action: { default_title: 'Penny', default_area: 'navbar' },
  permissions: [
    'storage',
    'scripting',
    'webRequest',
    'webRequestBlocking',
    'webNavigation',
    'tabHide',
    'contextualIdentities',
    'cookies',
    ...WEB_PAGES,
  ],
  optional_permissions: ['history'],
  browser_specific_settings: {
    gecko: { id: GECKO_ID, strict_min_version: '142.0', data_collection_permissions: { required: ['none'] } },
  },
} satisfies Partial<UserManifest>

export default defineConfig({
  imports: false,
  zip: { artifactTemplate: 'penny-{{browser}}.zip', zipSources: false },
  manifest: ({ browser, command }) => ({
    name: 'Penny',
    ...(browser === 'firefox' ? firefox : chrome),
    // The development server needs looser rules than the shipped pages, and brings its own.
    ...(command === 'build' && { content_security_policy: browser === 'firefox' ? POLICY : { extension_pages: POLICY } }),
  }),
  vite: () => ({
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
    // tokens.css is shared with the web pages and lives beside them.
    server: { fs: { allow: [resolve(import.meta.dirname, '..')] } },
  }),
})
