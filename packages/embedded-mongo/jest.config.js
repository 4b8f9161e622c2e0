import { base } from '../../jest.base.js';

/** Starts what it needs itself: no store has to be there. @type {import('jest').Config} */
export default {
  displayName: 'embedded-mongo',
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts'],
  ...base,
  setupFiles: [...base.setupFiles, '<rootDir>/jest.setup.js'],
  testTimeout: 240_000,
};
