import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import boundaries from 'eslint-plugin-boundaries';
import importX from 'eslint-plugin-import-x';
import { WINGS } from './project.mjs';

/** Specs and test kits may import past facades. */
const TESTS = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/test/**'];

/** A module with many names has rooms, each with a facade of its own. */
const facade = (wings, path = '{index.ts,*/index.ts}') => ({
  element: { type: 'module', captured: { wing: `{${wings.join(',')},}` }, fileInternalPath: path },
});
const LIBS = { element: { type: 'lib', fileInternalPath: 'src/index.ts' } };
/** The files that assemble the application: the root of `src` and its folders without modules. */
const ASSEMBLY = { element: { type: 'assembly' } };
const ROOT = { file: { categories: 'root' } };
/** The Nest module of a wing, which lists those of its resources. */
const WING = { file: { categories: 'wing' } };
const EVERYTHING = [ROOT, ASSEMBLY, WING, facade(WINGS), LIBS];

/** Everything else is refused. Circles are judged by import-x/no-cycle and folder-circles.mjs. */
const POLICIES = [
  ...WINGS.map((wing, at) => ({
    from: { element: { type: 'module', captured: { wing } } },
    allow: { to: [facade(WINGS.slice(0, at + 1)), LIBS] },
  })),
  ...WINGS.map((wing) => ({
    from: { file: { categories: 'wing', path: `**/src/${wing}/*` } },
    allow: { to: facade([wing]) },
  })),
  {
    // `nest generate` writes no facades.
    from: { file: { categories: 'wing', path: '**/src/extensions/*' } },
    allow: { to: facade(['extensions'], '*.module.ts') },
  },
  { from: { element: { type: 'lib' } }, allow: { to: LIBS } },
  { from: [ROOT, ASSEMBLY, { element: { type: 'app' } }], allow: { to: EVERYTHING } },
  {
    // Past the facades: a plugin must not load modules before Herald has registered what it adds.
    from: { element: { type: 'assembly' }, file: { path: '**/plugin-api/**' } },
    allow: { to: facade(WINGS, '{**/*.events.ts,**/*.types.ts,*.events.ts}') },
  },
];

const MESSAGE = `This import goes up, or past a facade: ${WINGS.join(' < ')} < the rest of src; libs below all. See docs/architecture.md.`;

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

const OTHER_WAY_TO_STORE = {
  selector:
    ':matches(CallExpression[callee.object.name="mongoose"][callee.property.name=/^(createConnection|connect)$/], ' +
    'NewExpression[callee.name="MongoClient"], NewExpression[callee.property.name="MongoClient"])',
  message: 'It might write to a database of another application. Use connectToStore() (libs/persistence).',
};

const PAST_THE_WALLS = {
  selector: 'Property[key.name="middleware"][value.value=false]',
  message: 'It skips the hooks that keep the records of environments apart (docs/adr/0021-walls-and-scopes.md).',
};

const LOCAL_TIME_FILE = 'libs/schedule/src/local-time.ts';

/** Luxon takes either of two times where clocks are put back; what it makes of the time of day of another day is no instant yet. */
const OTHER_INSTANT = {
  selector:
    ':matches(CallExpression[callee.object.name="DateTime"][callee.property.name=/^(from(ISO|Object|Format|SQL|RFC2822|HTTP)|local)$/], ' +
    'CallExpression[callee.property.name="getPossibleOffsets"], Property[key.name="keepLocalTime"])',
  message: `A local time becomes an instant in ${LOCAL_TIME_FILE} only: a time that occurs twice is the first one.`,
};

const LOCAL_TIMES = [
  {
    files: ['libs/schedule/src/**/*.ts'],
    ignores: [...TESTS, LOCAL_TIME_FILE],
    rules: { 'no-restricted-syntax': ['error', OTHER_WAY_TO_STORE, OTHER_INSTANT] },
  },
  {
    files: ['src/**/*.ts', 'libs/**/*.ts', 'apps/**/*.{ts,tsx}'],
    ignores: [...TESTS, 'libs/schedule/**', 'apps/console/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'luxon', message: 'Use #libs/schedule: only it makes instants of local times.' }] },
      ],
    },
  },
];

const STORE_ACCESS = {
  files: ['libs/**/*.ts', 'apps/**/*.ts'],
  ignores: [...TESTS, 'libs/persistence/**'],
  rules: { 'no-restricted-syntax': ['error', OTHER_WAY_TO_STORE] },
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

/** The parts of the house, and where they stand. */
const ELEMENTS = {
  'boundaries/files': [
    { category: 'root', pattern: 'src/*.ts' },
    { category: 'wing', pattern: `src/(${WINGS.join('|')})/*.module.ts` },
  ],
  'boundaries/elements': [
    { type: 'module', pattern: `src/(${WINGS.join('|')})/*`, capture: ['wing', 'name'] },
    { type: 'assembly', partialMatch: false, pattern: 'src/(http|bootstrap)/**' },
    { type: 'lib', pattern: 'libs/*', capture: ['name'] },
    { type: 'app', pattern: 'apps/*', capture: ['name'] },
    { type: 'other', pattern: '(test|tools|bench|simulation)' },
  ],
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
      rules: { 'no-restricted-syntax': ['error', UNTYPED_RESPONSE, OTHER_WAY_TO_STORE, PAST_THE_WALLS] },
    },
    {
      files: ['**/*.controller.ts'],
      rules: {
        'max-lines': ['error', { max: SIZES.controller }],
        'no-restricted-syntax': ['error', UNTYPED_RESPONSE, OTHER_WAY_TO_STORE, PAST_THE_WALLS, HAND_MADE_ENVELOPE],
      },
    },
    STORE_ACCESS,
    ...LOCAL_TIMES,
    {
      files: ['src/**/*.ts', 'libs/**/*.ts', 'apps/**/*.ts'],
      ignores: [...TESTS, 'apps/console/**'],
      plugins: { boundaries },
      settings: {
        'import/resolver': { typescript: { project: 'tsconfig.json' } },
        'boundaries/include': ['src/**', 'libs/**', 'apps/**', 'test/**', 'tools/**', 'bench/**', 'simulation/**'],
        ...ELEMENTS,
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
