/* eslint-disable no-restricted-properties -- what the global set-up and Jest tell a worker comes by the environment */
import type { Response } from 'supertest';
import type { RunningHerald } from '../running-api.js';
import { TEST_SETTINGS } from '../settings.js';
import { sharedStore } from '../store/worker-store.js';
import { type SessionIdentity, TestSession } from '../test-session.js';

interface Place {
  readonly url: string;
  /** Does what no caller can do. */
  readonly control: string;
}

/**
 * The Herald of this worker, which its files share: a process of its own, from the built program. It runs until the run ends.
 * @param onAnswer is shown what sessions are answered
 */
export async function runningHerald(onAnswer: (answer: Response) => void): Promise<RunningHerald> {
  const settings = { ...TEST_SETTINGS, HERALD_TEST_STORE: sharedStore().uri };
  const worker = process.env['JEST_WORKER_ID'] ?? '1';
  const { url, control } = await answerOf<Place>(process.env['HERALD_TEST_SUPPLY'] ?? '', {
    method: 'POST',
    body: JSON.stringify({ worker, settings }),
  });
  const organization = async (): Promise<SessionIdentity> => answerOf(`${control}/organizations`);
  return {
    url,
    session: async () => new TestSession(url, await organization(), onAnswer),
    siblings: async () => {
      const main = await organization();
      const sibling = await answerOf<SessionIdentity>(`${control}/siblings?organizationId=${main.organizationId}`);
      return [new TestSession(url, main, onAnswer), new TestSession(url, sibling, onAnswer)];
    },
    drain: () => answerOf(`${control}/drain`),
    close: () => Promise.resolve(),
  };
}

async function answerOf<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
