/* eslint-disable no-restricted-properties -- what the global set-up and Jest tell a worker comes by the environment */
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
  /** What it has refused since it was last asked. */
  refusals(): Promise<Refusal[]>;
}

interface Place {
  readonly url: string;
  /** Does what no caller can do. */
  readonly control: string;
}

/** The Herald of this worker: the built program. It runs until the run ends. */
export async function runningHerald(): Promise<RunningHerald> {
  const settings = { ...TEST_SETTINGS, HERALD_TEST_STORE: sharedStore().uri };
  const worker = process.env['JEST_WORKER_ID'] ?? '1';
  const { url, control } = await answerOf<Place>(process.env['HERALD_TEST_SUPPLY'] ?? '', {
    method: 'POST',
    body: JSON.stringify({ worker, settings }),
  });
  const organization = async (): Promise<SessionIdentity> => answerOf(`${control}/organizations`);
  return {
    url,
    session: async () => new TestSession(url, await organization()),
    siblings: async () => {
      const main = await organization();
      const sibling = await answerOf<SessionIdentity>(`${control}/siblings?organizationId=${main.organizationId}`);
      return [new TestSession(url, main), new TestSession(url, sibling)];
    },
    drain: () => answerOf(`${control}/drain`),
    refusals: () => answerOf(`${control}/refusals`),
    close: () => Promise.resolve(),
  };
}

async function answerOf<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
