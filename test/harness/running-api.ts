import type { TestSession } from './test-session.js';

/** A running Herald with its real store, reached over HTTP. */
export interface TestApi {
  readonly url: string;
  /** A caller in a new organization. */
  session(): Promise<TestSession>;
  /** Two callers of one organization in different environments. */
  siblings(): Promise<[TestSession, TestSession]>;
  close(): Promise<void>;
}

/** One in a process of its own, which the tests of a worker share. */
export interface RunningHerald extends TestApi {
  /** Delivers everything that is due, of all organizations. */
  drain(): Promise<void>;
}
