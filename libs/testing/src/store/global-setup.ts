import { startTestStore, type TestStore } from './test-store.js';

declare global {
  var heraldTestStore: TestStore | undefined;
}

/** Starts the store of the run; workers find it by this variable. */
export default async function globalSetup(): Promise<void> {
  const store = await startTestStore();
  globalThis.heraldTestStore = store;
  // eslint-disable-next-line no-restricted-properties -- the only way from a global set-up to the workers
  process.env['HERALD_TEST_STORE_URI'] = store.uri;
  process.stderr.write(`tests run on: ${store.kind}\n`);
}
