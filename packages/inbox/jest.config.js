/** @type {import('jest').Config} */
export default {
  displayName: 'inbox',
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  runtime: '<rootDir>/../../tools/test-runner/native-runtime.cjs',
  testEnvironment: '<rootDir>/../../tools/test-runner/native-environment.cjs',
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};
