import type { AuditTold } from '#libs/http-kit';
import { PromotionResponse } from './promotion.response.js';

/** What the audit log has of a promotion; undefined if it changed nothing. */
export function promotedRecords(response: unknown): AuditTold | undefined {
  if (!(response instanceof PromotionResponse) || response.changes.length === 0) return undefined;
  const before: Record<string, Record<string, unknown>> = {};
  const after: Record<string, Record<string, unknown>> = {};
  for (const change of response.changes) {
    if (change.before !== null) (before[change.kind] ??= {})[change.name] = change.before;
    if (change.after !== null) (after[change.kind] ??= {})[change.name] = change.after;
  }
  return { name: response.from, before, after };
}
