import cluster from 'node:cluster';
import type { Store } from '#libs/persistence';

/** Set by the first process of the group for the others. */
const STORE_VARIABLE = 'HERALD_GROUP_STORE';

type SharedStore = Pick<Store, 'uri' | 'description' | 'mayShare'>;

export interface MemberReport {
  readonly welcome: string;
}

export const isGroupMember = cluster.isWorker;

/** For the environment of a member: a message could get lost among others before anything listens. */
export function shareStore({ uri, description, mayShare = false }: Store): Readonly<Record<string, string>> {
  return { [STORE_VARIABLE]: JSON.stringify({ uri, description, mayShare } satisfies SharedStore) };
}

/** Of the first process: it outlives this one. */
// eslint-disable-next-line no-restricted-properties -- no setting of an operator
export function storeOfGroup(environment: NodeJS.ProcessEnv = process.env): Store {
  const shared = environment[STORE_VARIABLE];
  if (shared === undefined) throw new Error('This process was not started by a group.');
  return { ...(JSON.parse(shared) as SharedStore), close: () => Promise.resolve() };
}

/** The group prints one welcome text. */
export function reportReady(welcome: string): void {
  process.send?.({ welcome } satisfies MemberReport);
}
