import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { refusalOf } from '../access/refusals.js';
import { useSession } from '../session.js';

interface Props {
  readonly type: string;
  /** As entries of the audit log show it. */
  readonly id: string;
  /** Of a row, for those who do not see which one it stands in. */
  readonly of?: string;
}

/** To what was changed of a resource, for those who may see it. */
export function HistoryLink({ type, id, of }: Props): VNode | null {
  if (refusalOf('listAuditLog', useSession()) !== undefined) return null;
  return (
    <Link href={`/audit-log?resourceType=${type}&resourceId=${encodeURIComponent(id)}`}>
      History{of !== undefined && <span class="unseen"> {of}</span>}
    </Link>
  );
}
