import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Store } from '#libs/persistence';

/** Asks the first process of the group for its store. */
export const STORE_WANTED = 'herald:store';

/** What the first process of a group has opened for all. */
export type SharedStore = Pick<Store, 'uri' | 'description'>;

/** Sent by a process that is ready. */
export interface MemberReport {
  readonly welcome: string;
}

/** Whether this process was started as one of several on the same port. */
export const isGroupMember = cluster.isWorker;

/** The store of the group, which outlives this process. */
export async function storeOfGroup(): Promise<Store> {
  // Asked for, because a message that arrives before its listener is lost.
  process.send?.(STORE_WANTED);
  for (;;) {
    const [message] = (await once(process, 'message')) as [unknown];
    if (isStore(message)) return { ...message, close: () => Promise.resolve() };
  }
}

/** Other messages are wake-ups and questions for metrics, which come again. */
function isStore(message: unknown): message is SharedStore {
  return typeof message === 'object' && message !== null && 'uri' in message;
}

/** Hands over the welcome text, of which the group prints one. */
export function reportReady(welcome: string): void {
  process.send?.({ welcome } satisfies MemberReport);
}
