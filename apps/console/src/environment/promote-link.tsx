import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { type Session, useSession } from '../session.js';

export type Target = NonNullable<Session['person']>['known']['environments'][number];

/** The other environments in which the person may change something. */
export function targetsOf({ person, environment }: Pick<Session, 'person' | 'environment'>): readonly Target[] {
  const all = person?.known.environments ?? [];
  return all.filter(({ _id, scopes }) => _id !== environment._id && scopes.includes('write'));
}

/** Leads to the difference with another environment, if there is one. @param workflow identifier; absent: everything */
export function PromoteLink({ workflow }: { workflow?: string | undefined }): VNode | null {
  const session = useSession();
  if (targetsOf(session).length === 0) return null;
  return (
    <Link href={workflow === undefined ? '/promote' : `/promote?workflow=${encodeURIComponent(workflow)}`}>
      Promote
    </Link>
  );
}
