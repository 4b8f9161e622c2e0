import type { KeyRights, KeyScope } from '#libs/common';
import { assertScope } from '../../platform/auth/index.js';
import { AUDIT_RECORDED, type DeliveredType, type WebhookEventType } from './webhook-events.js';

/** That of the routes of the audit log. */
const NEEDED: KeyScope = 'admin';

/** Entries of the audit log are for whoever may read it. */
export function mayHear({ scopes }: KeyRights, type: DeliveredType): boolean {
  return type !== AUDIT_RECORDED || scopes.includes(NEEDED);
}

/** @throws {ScopeMissing} */
export function assertMayHear(caller: KeyRights, types?: readonly DeliveredType[] | null): void {
  if (types && !types.every((type) => mayHear(caller, type))) assertScope(caller, NEEDED);
}

/** A condition for webhooks that the caller may change. */
export function hearsOnlyWhatIsOpenTo(caller: KeyRights): { readonly events?: { readonly $ne: WebhookEventType } } {
  return mayHear(caller, AUDIT_RECORDED) ? {} : { events: { $ne: AUDIT_RECORDED } };
}
