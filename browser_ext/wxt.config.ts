import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig, type UserManifest } from 'wxt'
import { defuddleWithoutSites } from './scripts/defuddle_without_sites'
import { katexForMathml } from './scripts/katex_for_mathml'
import { addBasics, takeFromBasics } from './scripts/page_basics'
import { pdfForText } from './scripts/pdf_for_text'

// The public half of a key whose private half was thrown away. It only fixes the extension's id in Chrome.
const CHROME_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuemA5tvHZoo9ElAGzGjd0/vXoIjEn9wRqBVUwvvLY64jFX7wHTHiON+f9eMj37yay5Eshq6r' +
  'Y9z/ZUrbfxLwR008J4ENx0dYuGgdVtCVEJUtEIgLQKpOyXC7wWTtlx/vLlyZo539s4bs4d1cIbJbMqg6Zl7lzpNEwl21hsnuyQAPBjd0xG2i1oJIc1nk' +
  '12+n+Lvcf0h6EHC08tqzRl09ZG/bMkHdapagv5UXra22y0l/LFaxnA4wsKidU2aWjB4WlhtWhVuIQNN6/b1QfrmgZ8Iv1ggQx4TWqsemsTtZgeR4mPq1' +
  '38OGVzlIJrgedMt+ORjdxtF1zHdJheGIAnyuBwIDAQAB'
const GECKO_ID = 'penny-agent@localhost.invalid'
/** Each language has a catalogue in src/locales/. Other languages get the first one. */
const LANGUAGES = ['en', 'de']
const WEB_PAGES = ['http://*/*', 'https://*/*']
// Browsers take no picture of a page without this. The options page requests it when the owner switches pictures on.
const PICTURES = ['<all_urls>']

// The owner can change or remove each shortcut on the browser's own page.
const PANEL_KEY = { suggested_key: { default: 'Alt+Shift+P' }, description: '__MSG_key_open__' }
const KEYS = {
  'ask-page': { suggested_key: { default: 'Alt+Shift+A' }, description: '__MSG_menu_ask_page__' },
  'keep-page': { suggested_key: { default: 'Alt+Shift+K' }, description: '__MSG_menu_keep__' },
  'summarise-page': { suggested_key: { default: 'Alt+Shift+S' }, description: '__MSG_menu_summarise__' },
}
const BAR_KEY = { description: '__MSG_key_bar__' } // Chrome suggests four keys of an extension, and no more

// A server may be any https host or a loopback address. The code refuses plain http elsewhere.
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
  permissions: [
    'storage',
    'scripting',
    'webRequest',
    'webNavigation',
    'declarativeNetRequest',
    'alarms',
    'sidePanel',
    'favicon',
    'contextMenus',
    'offscreen',
  ],
  optional_permissions: ['history'],
  host_permissions: WEB_PAGES,
  optional_host_permissions: PICTURES,
  commands: { _execute_action: PANEL_KEY, ...KEYS, bar: BAR_KEY },
} satisfies Partial<UserManifest>

/**
 * What leaves the browser, in Mozilla's terms. Sending to the owner's own server counts too. Required: the conversation
 * and the pages that Penny reads. Optional: the browsing history, if it is shared.
 */
const DATA_COLLECTION = { required: ['personalCommunications', 'websiteContent'], optional: ['browsingActivity'] }

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
    'contextMenus',
    ...WEB_PAGES,
  ],
  optional_permissions: ['history', ...PICTURES] as UserManifest['optional_permissions'],
  commands: {
    _execute_sidebar_action: PANEL_KEY,
    ...KEYS,
    bar: { suggested_key: { default: 'Alt+Shift+E' }, ...BAR_KEY },
  },
  browser_specific_settings: {
    gecko: { id: GECKO_ID, strict_min_version: '142.0', data_collection_permissions: DATA_COLLECTION },
  },
} satisfies Partial<UserManifest>

/** The licence demands its text and a note about changes. */
const PDFJS =
  'pdf_worker.js holds pdf.js, Copyright Mozilla Foundation, changed: what is not needed for reading text was left out.\n\n'

/** A catalogue in the format of browsers. */
function messages(language: string): string {
  const catalogue = JSON.parse(
    readFileSync(resolve(import.meta.dirname, `src/locales/${language}.json`), 'utf8'),
  ) as Record<string, string>
  return JSON.stringify(Object.fromEntries(Object.entries(catalogue).map(([key, message]) => [key, { message }])))
}

export default defineConfig({
  imports: false,
  hooks: {
    'vite:build:extendConfig': ([entrypoint], config) => takeFromBasics(entrypoint?.name ?? '', config),
    'build:manifestGenerated': (_wxt, manifest) => addBasics(manifest),
    'build:publicAssets': (_wxt, files) => {
      for (const language of LANGUAGES)
        files.push({ relativeDest: `_locales/${language}/messages.json`, contents: messages(language) })
      const licence = readFileSync(resolve(import.meta.dirname, 'node_modules/pdfjs-dist/LICENSE'), 'utf8')
      files.push({ relativeDest: 'licences/pdfjs.txt', contents: PDFJS + licence })
    },
  },
  manifest: ({ browser, command }) => ({
    name: 'Penny',
    description: '__MSG_manifest_description__',
    default_locale: LANGUAGES[0],
    omnibox: { keyword: 'penny' },
    ...(browser === 'firefox' ? firefox : chrome),
    // The development server needs looser rules, and sets its own.
    ...(command === 'build' && {
      content_security_policy: browser === 'firefox' ? POLICY : { extension_pages: POLICY },
    }),
  }),
  vite: () => ({
    plugins: [pdfForText(), katexForMathml(), defuddleWithoutSites()],
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
    // tokens.css is shared with the web pages and stands in their folder.
    server: { fs: { allow: [resolve(import.meta.dirname, '..')] } },
  }),
})
