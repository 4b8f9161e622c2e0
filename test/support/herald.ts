import {
  type RunningHerald,
  runningHerald,
  type StoppedHerald,
  stoppedHerald,
  type TestApi,
  TestSession,
} from '../harness/index.js';
import { lookAtRefusals, useDeclaredErrors } from './declared-errors.js';

/**
 * A running Herald for tests that only speak HTTP: the built program, which the files of a worker share, each test in organizations of its
 * own.
 * @example
 * const api = useHerald();
 * const session = useSession(api);
 */
export const useHerald = (): RunningHerald => useRunning(runningHerald);

/**
 * The same one with its clock stopped, for tests of what becomes due: they move the time, and deliver what is due then. The clock goes on
 * after the last test.
 * @example
 * const delivery = useDelivery();
 * await delivery.drain(5 * MINUTE_MS);
 */
export const useDelivery = (): StoppedHerald => useRunning(stoppedHerald);

function useRunning<T extends RunningHerald>(start: () => Promise<T>): T {
  // Before the check of each test.
  afterEach(async () => lookAtRefusals(await herald.refusals()));
  const herald = useApi(start);
  return herald;
}

/** An API that starts before the first test and closes after the last one. */
export function useApi<T extends TestApi>(start: () => Promise<T>): T {
  let running: T | undefined;
  beforeAll(async () => {
    running = await start();
  });
  useDeclaredErrors();
  afterAll(() => running?.close());
  const get = (_: T, name: string | symbol): unknown => {
    if (running === undefined) throw new Error('The API runs in tests and hooks only, and it has not started.');
    return running[name as keyof T];
  };
  return new Proxy<T>({} as T, { get });
}

/** A caller that is in a new organization for each test. */
export function useSession(api: Pick<TestApi, 'session'>): TestSession {
  const session = Object.create(TestSession.prototype) as TestSession;
  beforeEach(async () => {
    Object.assign(session, await api.session());
  });
  return session;
}
