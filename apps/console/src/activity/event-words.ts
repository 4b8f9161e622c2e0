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

/** Why a trigger delivered nothing, in short. */
export function refusalWord({ status, overrideId }: Pick<Schemas['EventResponse'], 'status' | 'overrideId'>): string {
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
