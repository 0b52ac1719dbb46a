// Which folder of src/ may import which; `npm run imports` checks it, types included. A folder imports only from floors
// below its own. Tests and their shared fakes may import anything.

/** From the top down. `why` says what a floor must not know. */
const FLOORS = [
  {
    name: 'hosts',
    folders: ['background', 'options', 'panel', 'web_chat'],
    why: 'Each is a program of its own, started by an entrypoint: they talk by messages.',
  },
  {
    name: 'composer',
    folders: ['composer'],
    why: 'The panel is one place to write in; the box must not know which page shows it.',
  },
  {
    name: 'conversation',
    folders: ['conversation'],
    why: 'Messages are read where nothing can be written, so that they must not know the box.',
  },
  {
    name: 'own_pages',
    folders: ['own_pages'],
    why: 'Panel and options share these parts; what one of them alone shows stands in its own folder.',
  },
  {
    name: 'tools',
    folders: ['tools'],
    why: 'A tool answers the server and shows nothing, so that it must not know the pages for the owner.',
  },
  {
    name: 'client',
    folders: ['client'],
    why: 'Background and chat page hold the same conversation, each over a connection of its own.',
  },
  { name: 'history', folders: ['history'], why: 'Visits are heard whether a tool asks for them or not.' },
  {
    name: 'selection',
    folders: ['selection'],
    why: 'The bar runs inside the page: what becomes of its asks is for the background to say.',
  },
  { name: 'vault', folders: ['vault'], why: 'A page is kept whether the panel or the background asks for it.' },
  {
    name: 'page_tabs',
    folders: ['page_tabs'],
    why: 'One tab opens a page for every tool, so that it must not know any of them.',
  },
  {
    name: 'pdf',
    folders: ['pdf'],
    why: 'A PDF is read the same from a tab, from a tool and from the page that the owner shares.',
  },
  { name: 'state', folders: ['state'], why: 'State is kept and derived without knowing who shows it or changes it.' },
  {
    name: 'server',
    folders: ['server'],
    why: 'The connection carries frames; what they change is for those above to say.',
  },
  {
    name: 'acting',
    folders: ['acting'],
    why: 'It runs inside the page as extract does, and what can be seen there is for extract to say.',
  },
  {
    name: 'extract',
    folders: ['extract'],
    why: 'It runs inside the page, where neither our state nor our connection may come.',
  },
  {
    name: 'grants',
    folders: ['grants'],
    why: 'The rules for hosts decide alone by the address and the list that they are given.',
  },
  {
    name: 'private',
    folders: ['private'],
    why: 'What is private is decided by a text or a field alone, the same in pages, in visits and on the server.',
  },
]
const TESTS = '\\.test\\.tsx?$|/fake_\\w+\\.ts$'

const below = (floor) => FLOORS.slice(FLOORS.indexOf(floor) + 1).flatMap(({ folders }) => folders)
const inside = (folders) => `^src/(?:${folders.join('|')})/`

const floors = FLOORS.flatMap((floor) =>
  floor.folders.map((folder) => ({
    name: `floor-of-${folder}`,
    comment: floor.why,
    severity: 'error',
    from: { path: inside([folder]), pathNot: TESTS },
    to: { path: '^src/\\w+/', pathNot: [inside([folder, ...below(floor)]), '^src/locales/'] },
  })),
)

export default {
  forbidden: [
    ...floors,
    {
      name: 'no-circle',
      comment: 'Of two files that import each other neither can be read, tested or moved alone.',
      severity: 'error',
      from: { path: '^(src|entrypoints)/' },
      to: { circular: true },
    },
    {
      name: 'root-imports-no-folder',
      comment: 'What stands at the root of src/ is below every floor.',
      severity: 'error',
      from: { path: '^src/[^/]+$', pathNot: TESTS },
      to: { path: '^src/\\w+/', pathNot: '^src/locales/' },
    },
    {
      name: 'nobody-imports-an-entrypoint',
      comment: 'Entrypoints only wire; the bundler starts them, and nothing else may.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^entrypoints/' },
    },
    {
      name: 'page-scripts-know-no-browser',
      comment: 'Scripts in web pages run without the functions of an extension, and are tested without a browser.',
      severity: 'error',
      from: { path: '^src/(acting|extract)/', pathNot: TESTS },
      to: { path: 'node_modules/wxt/|^src/(say|firefox)\\.ts$' },
    },
    {
      name: 'rules-know-no-browser',
      comment: 'The rules for hosts and grants are held to the same table as those of the server, without a browser.',
      severity: 'error',
      from: { path: '^src/grants/', pathNot: TESTS },
      to: { path: 'node_modules/wxt/' },
    },
    {
      name: 'conversation-knows-no-extension',
      comment:
        'The chat page of the site shows the same conversation: transport, storage and texts come from its host.',
      severity: 'error',
      from: { path: '^src/(client|composer|conversation|web_chat)/', pathNot: TESTS },
      to: {
        path: 'node_modules/wxt/|^src/(own_pages|panel|tools|history)/|^src/(browser_catalogue|firefox)\\.ts$|^src/state/stored\\.ts$',
      },
    },
    {
      name: 'no-screen-below-the-pages',
      comment: 'Only what draws for the owner needs Preact: scripts in pages and the background stay small without it.',
      severity: 'error',
      from: {
        path: '^src/(acting|background|client|extract|grants|history|private|page_tabs|pdf|server|state|tools)/',
        pathNot: TESTS,
      },
      to: { path: 'node_modules/preact/' },
    },
    {
      name: 'no-fake-in-what-is-shipped',
      comment: 'Fakes stand in for browser and server in tests alone.',
      severity: 'error',
      from: { path: '^(src|entrypoints)/', pathNot: TESTS },
      to: { path: '/fake_\\w+\\.ts$' },
    },
    {
      name: 'web-page-scripts-only-where-shared',
      comment:
        'The chat page counts in the header of the site, and own pages have its colours; nothing else knows the site.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(web_chat|own_pages)/', TESTS] },
      to: { path: 'penny_site/static/penny/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'penny_site'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.json'],
    },
  },
}
