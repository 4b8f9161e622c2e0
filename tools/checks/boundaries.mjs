import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import boundaries from 'eslint-plugin-boundaries';
import importX from 'eslint-plugin-import-x';
import { LIB_IMPORTS, MODULE_ORDER } from './module-order.mjs';

/** Specs and test kits may import past facades. */
const TESTS = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/test/**'];

const anyOf = (names) => `{${names.join(',')},}`;
const facade = (type, name, path) => ({ element: { type, captured: { name }, fileInternalPath: path } });
const module = (names) => facade('module', anyOf(names), 'index.ts');
const lib = (names) => facade('lib', anyOf(names), 'src/index.ts');

/** The files that assemble the application. */
const ROOT = { file: { categories: 'root' } };

const LIBS = Object.keys(LIB_IMPORTS);

/** What each module, library and application may import; everything else is refused. */
const POLICIES = [
  ...MODULE_ORDER.map((name, at) => ({
    from: { element: { type: 'module', captured: { name } } },
    allow: { to: [module(MODULE_ORDER.slice(0, at)), lib(LIBS)] },
  })),
  {
    // Past the facades: a plugin must not load modules before Herald has registered what it adds.
    from: { element: { type: 'module', captured: { name: 'plugin-api' } } },
    allow: { to: [facade('module', '*', '{*.events.ts,*.types.ts}')] },
  },
  ...Object.entries(LIB_IMPORTS).map(([name, allowed]) => ({
    from: { element: { type: 'lib', captured: { name } } },
    allow: { to: lib(allowed) },
  })),
  {
    from: ROOT,
    allow: { to: [ROOT, module(MODULE_ORDER), lib(LIBS)] },
  },
  {
    from: { element: { type: 'app' } },
    allow: { to: [ROOT, module(MODULE_ORDER), lib(LIBS)] },
  },
];

const MESSAGE =
  'This import goes against the order of modules or past a facade. The order is in tools/checks/module-order.mjs, ' +
  'the reasons in docs/architecture.md.';

/** A response whose fields the compiler does not check. */
const UNTYPED_RESPONSE = {
  selector:
    'CallExpression[callee.object.name="Object"][callee.property.name="assign"] > NewExpression.arguments:first-child',
  message: 'The compiler does not check such fields. Use shower() or shown() (libs/http-kit).',
};

const HAND_MADE_ENVELOPE = {
  selector: ':matches(ReturnStatement, ArrowFunctionExpression) > ObjectExpression > Property[key.name="data"]',
  message: 'Return the value; the envelope { data } is added for you.',
};

/** Most lines of a file, a controller and a function, and most parameters, outside tests. */
const SIZES = { file: 400, controller: 200, function: 60, parameters: 6 };

/** The console runs in browsers and knows Herald by openapi.json only. */
const CONSOLE = {
  files: ['apps/console/**'],
  rules: {
    'no-restricted-imports': ['error', { patterns: [{ regex: '^(#libs/|node:|(?:\\.\\./)+(?:src|libs)/)' }] }],
  },
};

/** Who may import whom (docs/architecture.md), judged by the files that imports resolve to, and the limits of size. */
export function architecture() {
  return [
    {
      files: ['src/**/*.ts', 'libs/**/*.ts', 'apps/**/*.{ts,tsx}', 'packages/**/*.ts'],
      plugins: { 'import-x': importX },
      settings: {
        ...importX.flatConfigs.typescript.settings,
        'import-x/resolver-next': [createTypeScriptImportResolver()],
      },
      rules: { 'import-x/no-cycle': ['error', { ignoreExternal: true }], 'import-x/no-self-import': 'error' },
    },
    {
      files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
      ignores: [...TESTS, '**/*.spec.mjs'],
      rules: {
        'max-lines': ['error', { max: SIZES.file }],
        'max-lines-per-function': ['error', { max: SIZES.function }],
        'max-params': ['error', { max: SIZES.parameters }],
      },
    },
    {
      files: ['src/**/*.ts'],
      ignores: [...TESTS, '**/*.controller.ts'],
      rules: { 'no-restricted-syntax': ['error', UNTYPED_RESPONSE] },
    },
    {
      files: ['**/*.controller.ts'],
      rules: {
        'max-lines': ['error', { max: SIZES.controller }],
        'no-restricted-syntax': ['error', UNTYPED_RESPONSE, HAND_MADE_ENVELOPE],
      },
    },
    {
      files: ['src/**/*.ts', 'libs/**/*.ts', 'apps/**/*.ts'],
      ignores: [...TESTS, 'apps/console/**'],
      plugins: { boundaries },
      settings: {
        'import/resolver': { typescript: { project: 'tsconfig.json' } },
        'boundaries/include': ['src/**', 'libs/**', 'apps/**', 'test/**', 'tools/**', 'bench/**'],
        'boundaries/files': [{ category: 'root', pattern: 'src/*.ts' }],
        'boundaries/elements': [
          { type: 'module', pattern: `src/(${MODULE_ORDER.join('|')})`, capture: ['name'] },
          { type: 'lib', pattern: `libs/(${Object.keys(LIB_IMPORTS).join('|')})`, capture: ['name'] },
          { type: 'app', pattern: 'apps/*', capture: ['name'] },
          { type: 'other', pattern: '(test|tools|bench)' },
        ],
      },
      rules: {
        'boundaries/dependencies': ['error', { default: 'disallow', message: MESSAGE, policies: POLICIES }],
        'boundaries/no-unknown-files': 'error',
        'boundaries/no-unknown-dependencies': 'error',
      },
    },
    CONSOLE,
  ];
}
