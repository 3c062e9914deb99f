import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import oxlint from './oxlint.config.ts';
import { plainComments } from './tools/lint/plain-comments.mjs';

/** Tests and their doubles. */
const TESTS = [
  ...['**/*.test.ts', '**/testing-*.ts', '**/contract-suite/**', '**/e2e/**'],
  ...['libs/testing/**', 'tests/**'],
];

// The keyword, because it also serves a constructor's parameters.
const ONE_KIND_OF_PRIVATE = { selector: 'PrivateIdentifier', message: 'Say `private name`, not `#name`.' };

const BOUNDED_TIMES = {
  selector:
    "CallExpression[callee.object.object.name='z'][callee.object.property.name='iso'], MemberExpression[object.object.name='z'][object.property.name='coerce'][property.name='date'], CallExpression[callee.object.name='z'][callee.property.name=/^(date|stringFormat)$/]",
  message: 'Read times with IsoTime or IsoDay of @kith/contracts, which are bounded.',
};

const NAMED_DURATIONS = {
  selector:
    "Literal[raw=/^(86_?400(_?000)?|3_?600_?000)$/], BinaryExpression[operator='*'][right.raw=/^60/]:matches([left.raw='60'], [left.right.raw='60'])",
  message: 'Write durations with DAY_MS or HOUR_MS of @kith/contracts.',
};

/** Off here, rule by rule: what oxlint checks. A typed rule that it has not stays on. */
const checkedByOxlint = Object.fromEntries(
  Object.keys(oxlint.rules).map((rule) => [rule.replace('typescript/', '@typescript-eslint/'), 'off']),
);

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/generated/**',
      '.nx/**',
      '.kith/**',
      '**/test-results/**',
      'bench/results/**',
      '**/.tmp/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.lint.json', './apps/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { kith: { rules: { 'plain-comments': plainComments } } },
    rules: {
      ...checkedByOxlint,
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      'kith/plain-comments': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      'no-console': 'off',
      'no-restricted-syntax': ['error', ONE_KIND_OF_PRIVATE],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Settings enter in one place each: everything else is told by parameter.
    files: ['services/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'],
    ignores: [
      '**/config.ts',
      '**/*.test.ts',
      'libs/testing/**',
      'libs/embedded/**',
      '**/testing-*.ts',
      '**/e2e/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings in config.ts.' },
      ],
    },
  },
  {
    // Times from outside are bounded: a year 10000 that is stored fails whoever reads it.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['libs/contracts/src/bounded-time.ts'],
    rules: {
      'no-restricted-syntax': ['error', ONE_KIND_OF_PRIVATE, BOUNDED_TIMES],
    },
  },
  {
    // Tests may count in their own units; llm stands on nothing of ours.
    files: ['services/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'],
    ignores: [...TESTS, 'libs/contracts/src/{durations,bounded-time}.ts', 'libs/llm/**'],
    rules: {
      'no-restricted-syntax': ['error', ONE_KIND_OF_PRIVATE, BOUNDED_TIMES, NAMED_DURATIONS],
    },
  },
  {
    // Nest assembles; it does not think.
    files: ['services/*/src/**/*.ts'],
    ignores: [
      '**/*.module.ts',
      '**/providers.ts',
      '**/*.controller.ts',
      '**/*.service.ts',
      '**/*.worker.ts',
      '**/main.ts',
      '**/*.test.ts',
      '**/e2e/**',
      'services/gateway/src/{entrance,http,queue-board,socket}/**',
      '**/*test*.ts',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@nestjs/*'],
              message: 'Only modules, controllers, services, workers and main import Nest.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', 'apps/cli/bin/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
  {
    files: TESTS,
    rules: {
      // A test that reads what is not there fails, which is its purpose: some 600 `!` say nothing else.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // The one rule here that asks for types (oxlint has the others) is off where a double has the part of a class that its
    // test needs. Reading their types took half of the time.
    files: [...TESTS, 'bench/**', '*.ts', '**/*.mjs', '**/*.js', '**/*.cjs'],
    ...tseslint.configs.disableTypeChecked,
  },
);
