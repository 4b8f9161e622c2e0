import type { Schemas } from '../api/client.js';

type Status = Schemas['EventResponse']['status'];

const REFUSALS: Readonly<Record<Status, string>> = {
  processed: 'Accepted',
  trigger_not_active: 'Workflow inactive',
  no_workflow_steps_defined: 'Workflow without steps',
  no_workflow_active_steps_defined: 'No active steps',
  no_tenant_found: 'Tenant does not exist',
  error: 'Invalid trigger',
};

const ERRORS: Readonly<Record<string, string>> = {
  workflow_not_found: 'Unknown workflow',
  payload_incomplete: 'Values missing',
  trigger_incomplete: 'Values missing',
  rate_limited: 'Too many requests',
  unauthorized: 'API key refused',
  scope_missing: 'API key refused',
};

type RefusedEvent = Pick<Schemas['EventResponse'], 'status' | 'code' | 'overrideId'>;

/** Why a trigger delivered nothing, in short. */
export function refusalWord({ status, code, overrideId }: RefusedEvent): string {
  const known = code === undefined ? undefined : ERRORS[code];
  if (known !== undefined) return known;
  return overrideId === undefined ? REFUSALS[status] : 'Disabled for the tenant';
}

/** What became of an accepted event that has no notification in the list. */
export function acceptedWords({ state, notifications = 0 }: Schemas['EventResponse']): string {
  if (state === 'expanding') return 'Its notifications are being created.';
  if (state === 'canceled') return 'It was canceled.';
  if (state === 'failed')
    return 'It was set aside because workers repeatedly stopped while creating its notifications.';
  if (notifications === 0) return 'It had no recipients. The topic may be empty.';
  return `It created ${notifications.toLocaleString('en')} notifications, which do not match the other filters or have been deleted after their retention period.`;
}
