const babel = { presets: ['module:@react-native/babel-preset'] };

/** @type {import('jest').Config} */
module.exports = {
  preset: 'react-native',
  setupFiles: ['./globals.js'],
  testMatch: ['<rootDir>/*.test.jsx'],
  transform: { '\\.(jsx?|tsx?)$': ['babel-jest', babel] },
  transformIgnorePatterns: ['node_modules/(?!(@herald|react-native|@react-native)/)'],
  // Without AbortSignal.timeout, the limit of a request is a timer that goes on after its answer.
  forceExit: true,
  // A busy machine can be ten times as slow as an idle one.
  testTimeout: 240_000,
};
