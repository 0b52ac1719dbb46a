// Hints in tags, roles and names of elements. Every site chooses its own names, but similar things get similar names.

const TAGS = {
  NAV: 'nav', HEADER: 'header', FOOTER: 'footer', ASIDE: 'aside', FORM: 'form', DIALOG: 'dialog', MAIN: 'main', ARTICLE: 'article', TABLE: 'table',
  TR: 'row', TH: 'th', UL: 'list', OL: 'numbered', LI: 'item', DL: 'terms', A: 'link', BUTTON: 'button', LABEL: 'label', SECTION: 'section',
  FIGURE: 'figure', DETAILS: 'details', BLOCKQUOTE: 'quotation', H1: 'h1', H2: 'h2', H3: 'h3', H4: 'h4', H5: 'h4', H6: 'h4', P: 'p', PRE: 'pre', CODE: 'code',
} as const // prettier-ignore
const ROLES = {
  navigation: 'nav', banner: 'header', contentinfo: 'footer', complementary: 'aside', main: 'main', article: 'article', dialog: 'dialog',
  alertdialog: 'dialog', alert: 'dialog', search: 'searching', menu: 'nav', menubar: 'nav', listbox: 'nav', form: 'form', button: 'button',
  tablist: 'tabs', tab: 'tabs', tabpanel: 'tabpanel', heading: 'h3', list: 'list', listitem: 'item', row: 'row',
} as const // prettier-ignore

/** Words of classes and ids, in lower case. */
const NAMES = {
  'named nav': 'nav navbar navigation menu menus submenu dropdown megamenu navlinks topnav',
  'named header': 'header masthead topbar banner',
  'named footer': 'footer foot colophon bottom copyright legal',
  'named side': 'sidebar side aside rail widget widgets secondary complementary',
  'named consent': 'cookie cookies consent gdpr onetrust privacy ccpa',
  'named dialog': 'modal popup dialog overlay drawer flyout lightbox offcanvas tooltip toast alert notification notice',
  'named share': 'share sharing social socials follow facebook twitter',
  'named related': 'related recommended recommendations recommendation suggested similar trending popular upsell crosssell recently viewed more also discover',
  'named newsletter': 'newsletter subscribe subscription signup optin email',
  'named trail': 'breadcrumb breadcrumbs crumb crumbs',
  'named pager': 'pagination pager paging paginate',
  'named filter': 'filter filters facet facets sort sorting refine refinement refinements swatch swatches',
  'named account': 'login signin account cart basket checkout wishlist minicart user',
  'named search': 'search searchbox autocomplete',
  'named ad': 'ad ads advert advertisement sponsor sponsored promo promotion promotions promos adslot',
  'named hidden': 'skip sr hidden visually screenreader screen invisible',
  'named tool': 'toolbar actions action buttons button btn controls control toggle tabs tab cta',
  'named contents': 'toc contents onthispage',
  'named meta': 'meta byline author date time timestamp published tags tag category categories posted',
  'named comment': 'comment comments reply replies respond',
  'named post': 'post posts message messages thread topic discussion question answer answers',
  'named content': 'content contents article body entry story main text prose markdown copy rte richtext wysiwyg',
  'named product': 'product products item items card cards tile tiles grid listing listings result results teaser',
  'named details': 'description details detail desc summary specs specifications features overview info',
  'named title': 'title heading headline name subtitle',
  'named price': 'price prices pricing cost amount',
  'named review': 'review reviews rating ratings stars testimonial testimonials',
  'named hero': 'hero intro lead jumbotron',
  'named faq': 'faq accordion',
  'named carousel': 'carousel slider slick swiper slideshow gallery slide',
  'named form': 'form field input label checkbox select',
  'named signature': 'signature stats avatar profile badge badges rank',
  'named help': 'help support contact feedback',
  'named locale': 'language lang locale country region currency',
  'named code': 'code highlight',
} as const // prettier-ignore

/** The attribute by which the copy marks collapsed parts of the page. */
export const CLOSED = 'data-closed'

export type Hint = (typeof TAGS)[keyof typeof TAGS] | (typeof ROLES)[keyof typeof ROLES] | keyof typeof NAMES | 'closed'

export const HINT_OF_TAG: Readonly<Record<string, Hint | undefined>> = TAGS
export const HINT_OF_ROLE: Readonly<Record<string, Hint | undefined>> = ROLES

const MARKS_OF_WORD = new Map<string, Hint[]>()
for (const [hint, words] of Object.entries(NAMES)) {
  for (const word of words.split(' ')) MARKS_OF_WORD.set(word, [...(MARKS_OF_WORD.get(word) ?? []), hint as Hint])
}
const NAME_CHARACTERS = 400
/** Also the parts of camelCase. */
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/** A page has few names, and many elements share each. */
const cache = new Map<string, readonly Hint[]>()

/** Hints of the words in a class or an id. */
export function hintsInNames(name: string): readonly Hint[] {
  const hints = cache.get(name) ?? hintsIn(name)
  cache.set(name, hints)
  return hints
}

function hintsIn(name: string): Hint[] {
  const parts = name.slice(0, NAME_CHARACTERS).match(PART) ?? []
  return parts.flatMap((part) => MARKS_OF_WORD.get(part.toLowerCase()) ?? [])
}

/** Hints of the words in a heading or a button. */
export function hintsInWords(words: readonly string[]): Hint[] {
  return words.flatMap((word) => MARKS_OF_WORD.get(word) ?? [])
}
