/* eslint-disable no-restricted-properties -- what the global set-up and Jest tell a worker comes by the environment */
import type { mongo } from 'mongoose';
import type { TestApi } from '../create-test-app.js';
import { TEST_SETTINGS } from '../settings.js';
import { sharedStore } from '../store/worker-store.js';
import { type SessionIdentity, TestSession } from '../test-session.js';

/** An answer that refuses something. */
export interface Refusal {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** A Herald in a process of its own, which the files of a worker share. */
export interface RunningHerald extends TestApi {
  /** Delivers everything that is due, of all organizations. */
  drain(): Promise<void>;
  /** What its router really serves, hidden routes included. HEAD goes with every GET. */
  routes(): Promise<{ readonly method: string; readonly path: string }[]>;
  /** What it has refused since it was last asked. */
  refusals(): Promise<Refusal[]>;
  /** A collection of its store, for what no route shows or does. */
  stored(collection: string): StoredRecords;
  /** Names of all collections. */
  collections(): Promise<string[]>;
}

/** Goes through to the collection; the records of other tests are there, too. */
export type StoredRecords = Pick<
  mongo.Collection,
  'insertMany' | 'updateOne' | 'updateMany' | 'deleteMany' | 'countDocuments'
> & { find(filter: object, options?: mongo.FindOptions): Promise<Record<string, unknown>[]> };

/** A running Herald whose time stands until the test moves it. */
export interface StoppedHerald extends RunningHerald {
  readonly clock: StoppedClock;
  /**
   * Delivers everything that is due, and with a time everything that becomes due in it.
   * @param ms how far the clock goes on
   * @param worker does its work
   */
  drain(ms?: number, worker?: HeraldWorker): Promise<void>;
}

/** The workers that a test can drain. */
type HeraldWorker = 'DeliveryWorker' | 'ErasureWorker' | 'WebhookWorker';

interface Place {
  readonly url: string;
  /** Does what no caller can do. */
  readonly control: string;
}

/** The Herald of this worker: the built program. It runs until the run ends. */
export async function runningHerald(): Promise<RunningHerald> {
  const { url, control } = await placeOfHerald();
  return heraldAt(url, control);
}

/** As {@link runningHerald}, with a clock that stands until it is closed. */
export async function stoppedHerald(): Promise<StoppedHerald> {
  const { url, control } = await placeOfHerald();
  const clock = new StoppedClock(control, await ask<number>(`${control}/clock/stop`));
  return {
    ...heraldAt(url, control),
    clock,
    drain: (ms, worker) => clock.drain(ms, worker),
    close: () => ask(`${control}/clock/go-on`),
  };
}

/** What a test sees of the clock of Herald. Nothing but the test moves it, so its time is known here. */
export class StoppedClock {
  constructor(
    private readonly control: string,
    private ms: number,
  ) {}

  now(): Date {
    return new Date(this.ms);
  }

  async advance(ms: number): Promise<void> {
    await ask(`${this.control}/clock/advance`, { ms });
    this.ms += ms;
  }

  /** Never backwards. */
  async moveTo(moment: Date): Promise<void> {
    await this.advance(Math.max(0, moment.getTime() - this.ms));
  }

  async drain(ms?: number, worker?: HeraldWorker): Promise<void> {
    await ask(`${this.control}/drain`, { worker, ...(ms !== undefined && { until: this.ms + ms }) });
    this.ms += Math.max(0, ms ?? 0);
  }
}

function placeOfHerald(): Promise<Place> {
  const settings = { ...TEST_SETTINGS, HERALD_TEST_STORE: sharedStore().uri };
  const worker = process.env['JEST_WORKER_ID'] ?? '1';
  return ask(process.env['HERALD_TEST_SUPPLY'] ?? '', { worker, settings });
}

function heraldAt(url: string, control: string): RunningHerald {
  const organization = (): Promise<SessionIdentity> => ask(`${control}/organizations`);
  return {
    url,
    session: async () => new TestSession(url, await organization()),
    siblings: async () => {
      const main = await organization();
      return [new TestSession(url, main), new TestSession(url, await ask(`${control}/siblings`, main))];
    },
    insertMessages: (messages) => tell(`${control}/messages`, { messages }),
    drain: () => ask(`${control}/drain`),
    routes: () => ask(`${control}/routes`),
    refusals: () => ask(`${control}/refusals`),
    collections: () => ask(`${control}/collections`),
    stored: (collection) => storedIn(control, collection),
    close: () => Promise.resolve(),
  };
}

function storedIn(control: string, collection: string): StoredRecords {
  const call =
    (method: string) =>
    (...args: unknown[]): Promise<unknown> =>
      tell(`${control}/store`, { collection, method, args });
  return new Proxy({} as StoredRecords, { get: (_, method) => call(String(method)) });
}

/** As {@link ask}, for records of the store: with the types of MongoDB. */
async function tell(url: string, input: object): Promise<unknown> {
  // Most files need nothing of the store.
  const { EJSON } = await import('bson');
  return EJSON.parse(await textOf(url, EJSON.stringify(input))) as unknown;
}

async function ask<T>(url: string, input: object = {}): Promise<T> {
  return JSON.parse(await textOf(url, JSON.stringify(input))) as T;
}

async function textOf(url: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
