/** Starts what it needs itself: no store has to be there. @type {import('jest').Config} */
export default {
  displayName: 'embedded-mongo',
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts'],
  runtime: '<rootDir>/../../tools/test-runner/native-runtime.cjs',
  testEnvironment: '<rootDir>/../../tools/test-runner/native-environment.cjs',
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  testTimeout: 240_000,
};
