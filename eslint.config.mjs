import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { architecture } from './tools/checks/boundaries.mjs';

const TYPESCRIPT = ['**/*.ts', '**/*.tsx'];
const TESTS = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/test/**/*.ts'];
const NODE_GLOBALS = [
  'process',
  'console',
  'Buffer',
  'URL',
  'URLSearchParams',
  'fetch',
  'performance',
  'AbortSignal',
  'AbortController',
  'Atomics',
  'SharedArrayBuffer',
  'TextDecoder',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'structuredClone',
  'DOMException',
  'crypto',
  'TextEncoder',
  'queueMicrotask',
];
const JEST_GLOBALS = ['describe', 'it', 'expect', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.data/**',
      'coverage/**',
      'packages/client/src/{schema.d,operations}.ts',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: TYPESCRIPT })),
  {
    files: TYPESCRIPT,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Injected classes and DTOs must stay values, or the metadata that Nest reads from them is gone.
      '@typescript-eslint/consistent-type-imports': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings come from AppConfig (libs/config).' },
      ],
    },
  },
  {
    // Their own compiler settings do not find herald/plugin; `npm run check:static -- types` checks them with those of the project.
    files: ['examples/**/*.ts'],
    ...tseslint.configs.disableTypeChecked,
  },
  ...architecture(),
  {
    files: TYPESCRIPT,
    ignores: TESTS,
    plugins: { regexp },
    rules: {
      // What callers send must not decide how long an expression takes; the unit tests of tools/checks try them all.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: TESTS,
    rules: {
      // Bodies of HTTP answers come as `any`; what a test expects of them is its check.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: Object.fromEntries(NODE_GLOBALS.map((name) => [name, 'readonly'])) },
    rules: { eqeqeq: ['error', 'always', { null: 'ignore' }] },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: Object.fromEntries([...NODE_GLOBALS, 'require', 'module'].map((name) => [name, 'readonly'])),
    },
  },
  {
    files: ['**/*.spec.mjs', '**/*.e2e-spec.mjs'],
    languageOptions: { globals: Object.fromEntries(JEST_GLOBALS.map((name) => [name, 'readonly'])) },
  },
);
