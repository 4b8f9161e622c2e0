import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type DryRun = Schemas['DryRunResponse'];
export type Recipient = Schemas['DryRunRecipientResponse'];
export type DryStep = Schemas['DryRunStepResponse'];

interface Word {
  readonly tone: Tone;
  readonly label: string;
}

/** Why a trigger delivers nothing. */
const REFUSED: Readonly<Record<Exclude<DryRun['status'], 'processed' | 'error'>, string>> = {
  trigger_not_active: 'the workflow is inactive',
  no_workflow_steps_defined: 'the workflow has no steps',
  no_workflow_active_steps_defined: 'the workflow has no active steps',
  no_tenant_found: 'the tenant does not exist',
};

export function refusedWords({ status }: Pick<DryRun, 'status'>): string | undefined {
  if (status === 'error') return 'The trigger would be refused';
  return status === 'processed' ? undefined : `Nothing would be sent: ${REFUSED[status]}`;
}

/** The same of a trigger that was sent. */
export function notStartedWords({ status }: Pick<DryRun, 'status'>): string | undefined {
  if (status === 'error') return 'The trigger was refused';
  return status === 'processed' ? undefined : `Nothing is sent: ${REFUSED[status]}`;
}

const WAITING: Readonly<Record<string, string>> = {
  delay: 'Would wait',
  digest: 'Would collect',
  throttle: 'Would pass',
  wait_for_event: 'Would wait',
  http_request: 'Would be sent',
};

/** What would become of a step: as of a step that was run, but in the conditional. */
export function dryStepWord({ status, messages, type }: Pick<DryStep, 'status' | 'messages' | 'type'>): Word {
  if (status === 'completed' && messages.length > 0) {
    return {
      tone: 'good',
      label: messages.length === 1 ? 'Would be sent' : `${messages.length} messages would be sent`,
    };
  }
  if (status === 'completed') return { tone: 'good', label: WAITING[type] ?? 'Would run' };
  if (status === 'skipped') return { tone: 'warn', label: 'Would be skipped' };
  if (status === 'failed') return { tone: 'bad', label: 'Would fail' };
  if (status === 'queued') return { tone: 'busy', label: 'Would ask a webhook again' };
  if (status === 'pending') return { tone: 'idle', label: 'Would not be reached' };
  if (status === 'canceled') return { tone: 'idle', label: 'Would be canceled' };
  if (status === 'merged') return { tone: 'idle', label: 'Would join a digest' };
  return { tone: 'busy', label: 'Would wait' };
}

/** What a throttle would decide, and where its count stands. */
export function throttleWords({ throttled, executionCount, threshold }: NonNullable<DryStep['throttle']>): string {
  if (throttled) return `${executionCount} of ${threshold} have passed already`;
  return `this event would be number ${executionCount} of ${threshold} in the window`;
}

/** What the budgets of the subscriber would decide. */
export function budgetWords({ decision, budgets }: NonNullable<DryStep['budget']>): string {
  if (decision === 'critical') return 'critical, counted apart';
  return budgets.map(({ name, count, max }) => `${name}: ${count} of ${max}`).join('; ');
}

export function recipientWord({ steps, status }: Pick<Recipient, 'steps' | 'status'>): Word {
  const sent = steps.reduce((sum, { messages }) => sum + messages.length, 0);
  if (status === 'failed') {
    return { tone: 'bad', label: sent === 0 ? 'Would fail' : `Would get ${messageCount(sent)}, then fail` };
  }
  if (sent === 0) return { tone: 'warn', label: status === 'merged' ? 'Would join a digest' : 'Would get nothing' };
  return { tone: 'good', label: `Would get ${messageCount(sent)}` };
}

const messageCount = (sent: number): string => (sent === 1 ? '1 message' : `${sent} messages`);

const CHANGES: Readonly<Record<Recipient['subscriberChange'], string>> = {
  none: '',
  create: 'new subscriber, would be created',
  update: 'would be updated',
};

export function changeWords({ subscriberChange }: Pick<Recipient, 'subscriberChange'>): string {
  return CHANGES[subscriberChange];
}

const SOURCES: Readonly<Record<string, string>> = {
  template: 'the workflow disables this channel unless the subscriber enables it',
  workflowOverride: 'a tenant override disables this channel',
  subscriber: 'the subscriber disabled this channel for this workflow',
  subscriberGlobal: 'the subscriber disabled this channel for all workflows',
};

export function preferenceWords({ allowed, source }: NonNullable<DryStep['preference']>): string {
  if (allowed) return 'allow this channel';
  return SOURCES[source ?? ''] ?? 'switch this channel off';
}

/** Why a step would not be sent. Nothing has happened yet that could be replayed. */
export function dryExplanation({ explanation }: Pick<DryStep, 'explanation'>): DryStep['explanation'] {
  return (
    explanation && {
      ...explanation,
      remedy: explanation.remedy.replace(', then replay the notification.', ', then try again.'),
    }
  );
}
