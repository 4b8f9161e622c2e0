import { startTestStore } from './test-store.mjs';

/** Starts the store of the run; workers find it by this variable. */
export default async function globalSetup() {
  const store = await startTestStore();
  globalThis.heraldTestStore = store;
  process.env['HERALD_TEST_STORE_URI'] = store.uri;
  process.stderr.write(`tests run on: ${store.kind}\n`);
}
