import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { Store } from '#libs/persistence';
import { type TestApp, workerStore } from '../harness/index.js';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { type Settings, startTestApi, useApi } from './test-api.js';

/** A running API whose deliveries happen when the test says so. */
export interface DeliveryApi {
  readonly api: TestApp;
  readonly clock: ManualClock;
  /** Delivers everything that is due, and with a time everything that becomes due in it. @param ms how far the clock goes on */
  drain(ms?: number): Promise<void>;
  /** Rows of a collection, for what no route shows. */
  rows(collection: string, filter?: object): Promise<Record<string, unknown>[]>;
  /** Names of all collections. */
  collections(): Promise<string[]>;
}

/** Starts the API with a clock of its own and a database of its own: moving time must not wake others' work. */
export async function startDeliveryApi(
  name: string,
  settings: Settings = {},
  clock = new ManualClock(),
  store: Store = storeNamed(name),
): Promise<DeliveryApi> {
  const api = await startTestApi(settings, store, clock);
  const db = (): NonNullable<Connection['db']> => {
    const { db } = api.app.get<Connection>(getConnectionToken());
    if (db === undefined) throw new Error('not connected');
    return db;
  };
  return {
    api,
    clock,
    drain: (ms) =>
      api.app.get(DeliveryWorker).drain(ms === undefined ? undefined : new Date(clock.now().getTime() + ms)),
    rows: async (collection, filter = {}) => db().collection(collection).find(filter).toArray(),
    collections: async () => (await db().listCollections().toArray()).map(({ name }) => name).sort(),
  };
}

/** A delivery API for all tests of a file or of a `describe`: see `useTestApi`. */
export function useDeliveryApi(name: string, settings: Settings | (() => Settings) = {}): DeliveryApi {
  let delivery: DeliveryApi | undefined;
  const started = (): DeliveryApi => {
    if (delivery === undefined) throw new Error('The API runs in tests and hooks only, and it has not started.');
    return delivery;
  };
  const api = useApi(async () => {
    delivery = await startDeliveryApi(name, typeof settings === 'function' ? settings() : settings);
    return delivery.api;
  });
  return {
    api,
    get clock() {
      return started().clock;
    },
    drain: (ms) => started().drain(ms),
    rows: (collection, filter) => started().rows(collection, filter),
    collections: () => started().collections(),
  };
}

/** A database of its own on the store of the worker. */
export function storeNamed(name: string): Store {
  const store = workerStore();
  const uri = new URL(store.uri);
  uri.pathname = `${uri.pathname}_${name}`;
  return { ...store, uri: uri.href };
}
