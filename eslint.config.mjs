import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** What each room may not import; the picture is in docs/architecture.md. Order of modules: later ones may use earlier ones only. */
const MODULE_ORDER = [
  ['auth'],
  ['subscribers', 'integrations', 'feeds', 'notification-groups', 'execution-details'],
  ['messages'],
  ['tenants', 'topics', 'layouts'],
  ['workflows'],
  ['workflow-overrides'],
  ['notifications'],
  ['delivery'],
  ['events'],
];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.data/**', 'coverage/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings come from AppConfig (libs/config).' },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly', fetch: 'readonly' },
    },
  },
);
export { MODULE_ORDER };
