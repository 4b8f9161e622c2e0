import { randomBytes } from 'node:crypto';
import { startTestStore } from './test-store.mjs';

/** Starts the store of the run; workers find it and the prefix of their databases by these variables. */
export default async function globalSetup() {
  const store = await startTestStore();
  globalThis.heraldTestStore = store;
  process.env['HERALD_TEST_STORE_URI'] = store.uri;
  // A store that stays may have databases of a run that was killed.
  process.env['HERALD_TEST_RUN'] = `herald_test_${randomBytes(3).toString('hex')}`;
  process.stderr.write(`tests run on: ${store.kind}\n`);
}
