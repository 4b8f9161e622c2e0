import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Store } from '#libs/persistence';

/** Message to the first process of the group. */
export const STORE_WANTED = 'herald:store';

export type SharedStore = Pick<Store, 'uri' | 'description'>;

export interface MemberReport {
  readonly welcome: string;
}

export const isGroupMember = cluster.isWorker;

/** It outlives this process. */
export async function storeOfGroup(): Promise<Store> {
  // Requested, because a message that arrives before its listener is lost.
  process.send?.(STORE_WANTED);
  for (;;) {
    const [message] = (await once(process, 'message')) as [unknown];
    if (isStore(message)) return { ...message, close: () => Promise.resolve() };
  }
}

/** Other messages are wake-ups and metrics requests, which are repeated. */
function isStore(message: unknown): message is SharedStore {
  return typeof message === 'object' && message !== null && 'uri' in message;
}

/** The group prints one welcome text. */
export function reportReady(welcome: string): void {
  process.send?.({ welcome } satisfies MemberReport);
}
