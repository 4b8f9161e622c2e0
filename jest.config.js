import { base } from './jest.base.js';

const herald = {
  ...base,
  rootDir: '.',
  moduleNameMapper: {
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    // Threads run what is built.
    '/render-worker-file\\.js$': '<rootDir>/test/harness/render-worker-file.ts',
    ...base.moduleNameMapper,
  },
};

/** What is made for publication: `npm run test:package` tests it, and `npm test` leaves it out. */
const PUBLISHED = ['<rootDir>/tools/package', '<rootDir>/tools/docs-site'];

/** `unit` needs no store; `service` and `e2e` share one store that the global set-up starts. @type {import('jest').Config} */
export default {
  // How long something may take that never ends: a busy machine can be ten times as slow as an idle one, and no test has a
  // shorter limit of its own.
  testTimeout: 240_000,
  // One more than two cores have use for: tests wait for a sixth of their time.
  maxWorkers: 3,
  reporters: ['default', '<rootDir>/tools/slow-files-reporter.mjs'],
  workerIdleMemoryLimit: '1GB',
  projects: [
    '<rootDir>/packages/embedded-mongo',
    '<rootDir>/packages/client',
    '<rootDir>/packages/inbox',
    {
      ...herald,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,libs,apps}/**/*.spec.ts', '<rootDir>/{tools,bench,simulation}/**/*.spec.mjs'],
      testPathIgnorePatterns: ['\\.(service|store)\\.spec\\.ts$', ...PUBLISHED],
    },
    {
      ...herald,
      displayName: 'package',
      testMatch: PUBLISHED.map((folder) => `${folder}/**/*.spec.mjs`),
    },
    {
      ...herald,
      displayName: 'store',
      testMatch: [
        '<rootDir>/{src,libs,apps}/**/*.{service,store}.spec.ts',
        '<rootDir>/{test,apps,libs}/**/*.e2e-spec.ts',
        '<rootDir>/examples/**/*.e2e-spec.mjs',
      ],
      globalSetup: '<rootDir>/test/harness/store/global-setup.mjs',
      globalTeardown: '<rootDir>/test/harness/store/global-teardown.mjs',
    },
  ],
};
