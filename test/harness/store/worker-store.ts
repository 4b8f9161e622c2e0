/* eslint-disable no-restricted-properties -- what the global set-up and Jest tell a worker comes by the environment */
import { createHash } from 'node:crypto';
import type { Store } from '#libs/persistence';

/** The store of this run with a database of the test file that runs: applications find no records of other files. */
export function workerStore(): Store {
  const { testPath = '' } = expect.getState();
  return database(`_${createHash('sha1').update(testPath).digest('hex').slice(0, 8)}`);
}

/** The store of this run with a database of this worker, so that workers cannot disturb each other. */
export function sharedStore(): Store {
  return database('');
}

function database(suffix: string): Store {
  const base = process.env['HERALD_TEST_STORE_URI'];
  if (base === undefined) throw new Error("Tests on a store need Jest's project 'store' (see jest.config.js).");
  const uri = new URL(base);
  // Without authSource, a driver looks for the user in the database of the path.
  if (uri.username !== '' && !uri.searchParams.has('authSource'))
    uri.searchParams.set('authSource', uri.pathname.slice(1) || 'admin');
  const worker = `${process.env['HERALD_TEST_RUN'] ?? 'herald_test'}_${process.env['JEST_WORKER_ID'] ?? '1'}`;
  uri.pathname = `/${worker}${suffix}`;
  return { uri: uri.href, description: 'test store', close: () => Promise.resolve() };
}
