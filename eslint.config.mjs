import js from '@eslint/js';
import tseslint from 'typescript-eslint';

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
  ...tseslint.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      'no-console': 'off',
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
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.object.name='z'][callee.object.property.name='iso'], MemberExpression[object.object.name='z'][object.property.name='coerce'][property.name='date'], CallExpression[callee.object.name='z'][callee.property.name=/^(date|stringFormat)$/]",
          message: 'Read times with IsoTime or IsoDay of @kith/contracts, which are bounded.',
        },
      ],
    },
  },
  {
    // Nest assembles; it does not think.
    files: ['services/*/src/**/*.ts'],
    ignores: [
      '**/*.module.ts',
      '**/*.controller.ts',
      '**/*.service.ts',
      '**/*.worker.ts',
      '**/main.ts',
      '**/*.test.ts',
      '**/e2e/**',
      'services/gateway/src/doors/**',
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
);
