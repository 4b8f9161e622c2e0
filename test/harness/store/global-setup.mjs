import { randomBytes } from 'node:crypto';
import { startSupply } from '../herald/supply.mjs';
import { startTestStore } from './test-store.mjs';

/** Starts the store of the run; workers find it, the prefix of their databases and what starts a Herald for them by these variables. */
export default async function globalSetup() {
  const store = await startTestStore();
  const supply = await startSupply();
  Object.assign(globalThis, { heraldTestStore: store, heraldTestSupply: supply });
  process.env['HERALD_TEST_STORE_URI'] = store.uri;
  process.env['HERALD_TEST_SUPPLY'] = supply.url;
  // A store that stays may have databases of a run that was killed.
  process.env['HERALD_TEST_RUN'] = `herald_test_${randomBytes(3).toString('hex')}`;
  process.stderr.write(`tests run on: ${store.kind}\n`);
}
