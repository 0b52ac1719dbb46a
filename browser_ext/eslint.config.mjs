// What `npm run style` checks: typescript-eslint's strict rules, and names. A rule that is off or eased says why.
import tseslint from 'typescript-eslint'

const TESTS = ['**/*.test.{ts,tsx}', '**/fake_*.ts', 'vitest.setup.ts']

/** A value is named by what it is (`page`, `match`), not by what was done to it. */
const PARTICIPLES =
  'asked answered begun broken brought changed chosen closed drawn dropped each expected failed fetched found given heard held hidden kept known linked ' +
  'listed lost made meant named opened painted paired parsed put quoted received refused said seen sent settled shared shown spoken started taken ' +
  'told typed wanted watched written'
const NAMED = { format: null, custom: { regex: `^[#_]?(?:${PARTICIPLES.replaceAll(' ', '|')})$`, match: false } }

export default tseslint.config(
  {
    ignores: [
      '.output/',
      '.wxt/',
      'node_modules/',
      'scripts/no_canvas/',
      'src/protocol.gen.ts',
      'src/shared.d.ts',
      '**/*.mjs',
    ],
  },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'variableLike', ...NAMED },
        { selector: ['classProperty', 'classMethod'], ...NAMED },
        // The name is that of a field, of a frame for example.
        { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
      ],
      // `onClick={() => close()}`: what a handler returns is looked at by nobody.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true, ignoreVoidReturningFunctions: true },
      ],
      // Stand-ins for what a library wants to construct have nothing in them.
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true }],
      // A command without an outcome of its own returns nothing, and its type says so beside those that have one.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // wxt's defineUnlistedScript hands on what the promise brings, and browsers take listeners that return one; the types of both say void.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      // The types promise what odd pages, older browsers and jsdom do not keep (body, textContent, matchMedia), and take a signal for unchanged after an await.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `const { image: _, ...rest } = page` leaves a field out.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // An aborted signal is rejected with its own reason, whatever that is.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingAny: true }],
      // In a table of which some entries wait, all are async, so that what one throws is a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // Without types, which would take half of the time again; and what is null in a test fails it right there.
    files: TESTS,
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
)
