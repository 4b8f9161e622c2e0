import { base } from '../../jest.base.js';

/** @type {import('jest').Config} */
export default {
  displayName: 'inbox',
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  ...base,
};
