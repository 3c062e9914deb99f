import { defineConfig } from 'oxlint';

/** Tests and their doubles. */
const TESTS = [
  '**/*.test.ts',
  '**/testing-*.ts',
  '**/contract-suite/**',
  '**/e2e/**',
  'libs/testing/**',
  'tests/**',
];
/** Programs that are read as they are written: no types to ask for. */
const SCRIPTS = ['**/*.mjs', '**/*.js', '**/*.cjs'];
const SOURCES = ['services/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'];

/** The rules that ask for types. */
export const TYPED = {
  'typescript/await-thenable': 'error',
  'typescript/no-array-delete': 'error',
  'typescript/no-base-to-string': 'error',
  'typescript/no-confusing-void-expression': [
    'error',
    { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
  ],
  'typescript/no-deprecated': 'error',
  'typescript/no-duplicate-type-constituents': 'error',
  'typescript/no-floating-promises': 'error',
  'typescript/no-for-in-array': 'error',
  'typescript/no-generated-empty-object-type': 'error',
  'typescript/no-implied-eval': 'error',
  'typescript/no-meaningless-void-operator': 'error',
  'typescript/no-misused-promises': 'error',
  // A text is spread by its characters where these are counted or cut, whatever they join to on a screen.
  'typescript/no-misused-spread': ['error', { allow: ['string'] }],
  'typescript/no-mixed-enums': 'error',
  'typescript/no-redundant-type-constituents': 'error',
  'typescript/no-unnecessary-boolean-literal-compare': 'error',
  'typescript/no-unnecessary-condition': 'error',
  'typescript/no-unnecessary-template-expression': 'error',
  'typescript/no-unnecessary-type-arguments': 'error',
  'typescript/no-unnecessary-type-assertion': 'error',
  'typescript/no-unnecessary-type-conversion': 'error',
  'typescript/no-unnecessary-type-parameters': 'error',
  'typescript/no-unsafe-argument': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-call': 'error',
  'typescript/no-unsafe-enum-assignment': 'error',
  'typescript/no-unsafe-enum-comparison': 'error',
  'typescript/no-unsafe-member-access': 'error',
  'typescript/no-unsafe-return': 'error',
  'typescript/no-unsafe-unary-minus': 'error',
  'typescript/no-useless-default-assignment': 'error',
  'typescript/only-throw-error': ['error', { allowThrowingUnknown: true }],
  // What was caught is passed on as it is.
  'typescript/prefer-promise-reject-errors': [
    'error',
    { allowThrowingUnknown: true, allowThrowingAny: true },
  ],
  'typescript/prefer-reduce-type-parameter': 'error',
  'typescript/prefer-return-this-type': 'error',
  'typescript/related-getter-setter-pairs': 'error',
  'typescript/require-array-sort-compare': 'error',
  'typescript/require-await': 'error',
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  'typescript/unbound-method': 'error',
  'typescript/use-unknown-in-catch-callback-variable': 'error',
} satisfies Parameters<typeof defineConfig>[0]['rules'];

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn'],
  jsPlugins: ['./tools/lint/kith.mjs'],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: [
    '**/dist/**',
    '**/generated/**',
    '**/.tmp/**',
    '.nx/**',
    '.kith/**',
    '**/test-results/**',
    'bench/results/**',
  ],
  rules: {
    ...TYPED,
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-unassigned-vars': 'error',
    'no-unexpected-multiline': 'error',
    'no-unused-expressions': 'error',
    'no-useless-assignment': 'error',
    'no-useless-constructor': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'preserve-caught-error': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/unified-signatures': 'error',
    'kith/plain-comments': 'error',
    'kith/one-kind-of-private': 'error',
    'kith/bounded-times': 'error',
    'kith/one-case-of-ids': 'error',
  },
  overrides: [
    {
      files: SCRIPTS,
      rules: {
        ...Object.fromEntries(Object.keys(TYPED).map((rule) => [rule, 'off'] as const)),
        'no-undef': 'error',
      },
    },
    { files: ['libs/contracts/src/time/iso-time.ts'], rules: { 'kith/bounded-times': 'off' } },
    { files: ['libs/contracts/src/values/words.ts'], rules: { 'kith/one-case-of-ids': 'off' } },
    {
      files: SOURCES,
      rules: {
        'kith/heard-promises': 'error',
        'kith/named-durations': 'error',
        'kith/reasoned-numbers': 'error',
      },
    },
    { files: TESTS, rules: { 'kith/heard-promises': 'off', 'kith/reasoned-numbers': 'off' } },
    // A file is read from top to bottom, and a function as a paragraph. Whoever takes more has two subjects, or takes its
    // parts by name. A lexicon is data.
    {
      files: SOURCES,
      rules: {
        'max-lines': ['error', 300],
        complexity: ['error', 20],
        'max-depth': ['error', 4],
        'max-params': ['error', 5],
      },
    },
    {
      files: [...TESTS, 'services/personality/src/reading/english/rules-lexicon.ts'],
      rules: { 'max-lines': 'off', complexity: 'off', 'max-depth': 'off', 'max-params': 'off' },
    },
    {
      // Tests may count in their own units; llm stands on nothing of ours.
      files: [...TESTS, 'libs/contracts/src/time/{durations,iso-time}.ts', 'libs/llm/**'],
      rules: { 'kith/named-durations': 'off' },
    },
    {
      // Settings enter in one place each: everything else is told by parameter.
      files: SOURCES,
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'Read settings in config.ts.' },
        ],
      },
    },
    { files: [...TESTS, '**/config.ts', 'libs/embedded/**'], rules: { 'no-restricted-properties': 'off' } },
    {
      // Nest assembles; it does not think.
      files: ['services/*/src/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              { group: ['@nestjs/*'], message: 'Only modules, providers, controllers and main import Nest.' },
            ],
          },
        ],
      },
    },
    {
      files: [
        '**/*.module.ts',
        '**/*providers.ts',
        '**/*.controller.ts',
        '**/main.ts',
        '**/*test*.ts',
        '**/e2e/**',
        'services/gateway/src/{entrance,http,queue-board,socket}/**',
      ],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: TESTS,
      rules: {
        // A test that reads what is not there fails, which is its purpose: some 600 `!` say nothing else.
        'typescript/no-non-null-assertion': 'off',
        'no-unsafe-optional-chaining': 'off',
        // Only that two lists are in the same order.
        'typescript/require-array-sort-compare': 'off',
      },
    },
    // A double promises at once what the real thing answers later: `async` is the shortest way to say so.
    { files: [...TESTS, 'bench/**'], rules: { 'typescript/require-await': 'off' } },
    // A command ends by printing, early too: `return terminal.json(…)` says both in one line.
    { files: ['apps/cli/**'], rules: { 'typescript/no-confusing-void-expression': 'off' } },
  ],
});
