import { defineConfig } from 'oxlint';

/** Tests, their doubles, and what measures or breaks the suite. */
const TESTS = ['**/*.test.ts', '**/testing-*.ts', '**/e2e/**', 'libs/testing/**', 'tests/**', 'bench/**'];

/** The rules that ask for types; eslint.config.mjs has the rest, and turns off there what is named here. */
export default defineConfig({
  plugins: ['typescript'],
  categories: { correctness: 'off' },
  // A directive is for one of the two linters, and names it.
  options: { typeAware: true, reportUnusedDisableDirectives: 'error', respectEslintDisableDirectives: false },
  ignorePatterns: ['**/dist/**', '**/generated/**', '**/.tmp/**', '**/*.mjs', '**/*.js', '**/*.cjs'],
  rules: {
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
  },
  overrides: [
    // A double promises at once what the real thing answers later: `async` is the shortest way to say so.
    { files: TESTS, rules: { 'typescript/require-await': 'off' } },
    // A command ends by printing, early too: `return terminal.json(…)` says both in one line.
    { files: ['apps/cli/**'], rules: { 'typescript/no-confusing-void-expression': 'off' } },
  ],
});
