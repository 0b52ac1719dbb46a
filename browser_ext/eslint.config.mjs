// What `npm run style` checks here and in ../penny_site/static/penny: typescript-eslint's strict rules, and names. A
// rule that is off or eased says why. Patterns are those of the folder above.
import tseslint from 'typescript-eslint'

const TESTS = ['**/*.test.{ts,tsx}', '**/fake_*.ts', '**/vitest.setup.ts']

/** A value has the name of what it is (`page`, `match`), not of what was done to it. */
const PARTICIPLES =
  'asked answered begun broken brought changed chosen closed drawn dropped each expected failed fetched found given heard held hidden kept known linked ' +
  'listed lost made meant named opened painted paired parsed put quoted received refused said seen sent settled shared shown spoken started taken ' +
  'told typed wanted watched written'
const NAMED = { format: null, custom: { regex: `^[#_]?(?:${PARTICIPLES.replaceAll(' ', '|')})$`, match: false } }

export default tseslint.config(
  {
    ignores: [
      '**/.output/',
      '**/.wxt/',
      '**/node_modules/',
      '**/scripts/no_canvas/',
      '**/src/protocol.gen.ts',
      '**/src/shared.d.ts',
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
        // A destructured name is the name of a field, for example of a frame.
        { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
      ],
      // Nobody uses the result of a handler such as `onClick={() => close()}`.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true, ignoreVoidReturningFunctions: true },
      ],
      // Some stand-ins for classes of a library need no members.
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true }],
      // A command without an outcome returns nothing. Its type is `Outcome | void`.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // The types say void, but wxt's defineUnlistedScript passes on the promise, and browsers accept listeners that
      // return one.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      // The types are stricter than odd pages, older browsers and jsdom (body, textContent, matchMedia), and ignore
      // that a signal may abort during an await.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `const { image: _, ...rest } = page` leaves out a field.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // The reason of an aborted signal may be anything.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingAny: true }],
      // In a table of handlers all are async, so that an exception becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // Type information would take half of the time again. A null in a test fails the test anyway.
    files: TESTS,
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
)
