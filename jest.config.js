const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
      module: { type: 'es6' },
    },
  ],
  'node_modules/.+\\.js$': ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
};

/**
 * ES modules that sanitize-html and @fastify/static, themselves CommonJS, require: Node can do that, Jest only once they
 * are translated.
 */
const requiredModules = [
  'htmlparser2',
  'domhandler',
  'domutils',
  'dom-serializer',
  'domelementtype',
  'entities',
  'content-disposition',
];

const base = {
  rootDir: '.',
  transform,
  transformIgnorePatterns: [`node_modules/(?!(.*/)?(${requiredModules.join('|')})/)`],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // Threads cannot run TypeScript: tests bundle the file of theirs when it is needed.
    '/render-worker-file\\.js$': '<rootDir>/libs/testing/src/render-worker-file.mjs',
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data'],
};

/** `unit` needs no store; `service` and `e2e` share one store that the global set-up starts. @type {import('jest').Config} */
export default {
  // How long something may take that never ends: a busy machine can be ten times as slow as an idle one, and no test has a
  // shorter limit of its own.
  testTimeout: 240_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/tools/slow-files-reporter.mjs'],
  // Modules of finished files stay in a worker's memory.
  workerIdleMemoryLimit: '1GB',
  projects: [
    '<rootDir>/packages/embedded-mongo',
    '<rootDir>/packages/client',
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,libs,apps}/**/*.spec.ts', '<rootDir>/{tools,bench}/**/*.spec.mjs'],
      testPathIgnorePatterns: ['\\.(service|store)\\.spec\\.ts$'],
    },
    {
      ...base,
      displayName: 'store',
      testMatch: [
        '<rootDir>/{src,libs,apps}/**/*.{service,store}.spec.ts',
        '<rootDir>/{test,apps,libs}/**/*.e2e-spec.ts',
        '<rootDir>/examples/**/*.e2e-spec.mjs',
      ],
      globalSetup: '<rootDir>/libs/testing/src/store/global-setup.mjs',
      globalTeardown: '<rootDir>/libs/testing/src/store/global-teardown.mjs',
    },
  ],
};
