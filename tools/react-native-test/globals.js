/* global jest, require -- Babel makes CommonJS of this file, and Jest runs it */
import * as native from './native';

// React Native has no more than this of the web: what Node has is taken away, and its own code takes the place.
const OF_NODE_ONLY = [
  'BroadcastChannel',
  'CustomEvent',
  'DOMException',
  'Event',
  'EventSource',
  'EventTarget',
  'MessageChannel',
  'ReadableStream',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'crypto',
  'localStorage',
  'navigator',
  'structuredClone',
];
const OF_REACT_NATIVE = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
  'WebSocket',
  'fetch',
];
for (const name of [...OF_NODE_ONLY, ...OF_REACT_NATIVE]) delete globalThis[name];

globalThis.__turboModuleProxy = (name) => native.modules[name];
jest.mock('react-native/Libraries/AppState/AppState', () =>
  jest.requireActual('react-native/Libraries/AppState/AppState'),
);
require('react-native/Libraries/Core/setUpXHR');
require('react-native/Libraries/Core/setUpNavigator');
