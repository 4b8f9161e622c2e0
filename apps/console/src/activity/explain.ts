import { type Job, type Notification, reportedFailure } from './words.js';

/** Why a step did not send, and what can be done. */
export interface Explanation {
  readonly title: string;
  readonly text?: string;
  readonly remedy: string;
}

const REPLAY = 'then replay the notification.';

const OUTAGE = {
  title: 'The provider was not available',
  remedy: `Check the state of the provider. When it is available again, replay the notification.`,
};

const FIXED: Readonly<Record<string, Omit<Explanation, 'text'>>> = {
  conditions: {
    title: 'A condition of the step was not met',
    remedy:
      'Compare what was expected with what was found. Change the payload of the trigger, or the conditions of the step.',
  },
  schedule: {
    title: 'Outside of the hours that the subscriber accepts',
    remedy: 'This is the choice of the subscriber. Critical workflows ignore it.',
  },
  first_backoff_event: {
    title: 'Nothing to collect yet',
    remedy: 'Nothing was sent recently, so the digest let this event through at once.',
  },
  conditions_failed: { title: 'A condition could not be evaluated', remedy: `Correct the condition, ${REPLAY}` },
  condition_webhook: {
    title: 'The webhook of a condition did not answer',
    remedy: `Make the webhook available, ${REPLAY}`,
  },
  content: {
    title: 'The content could not be rendered',
    remedy: 'Correct the template of the step, then trigger the event again.',
  },
  layout_not_found: { title: 'The layout does not exist', remedy: `Choose another layout for the step, ${REPLAY}` },
  no_active_integration: {
    title: 'No integration to send with',
    remedy: `Create or activate an integration of this channel, ${REPLAY}`,
  },
  no_channel: {
    title: 'The subscriber has no channel of this kind',
    remedy: `Set the credentials of the subscriber for a provider of this channel, ${REPLAY}`,
  },
  no_address: {
    title: 'No address to send to',
    remedy: `Correct the address of the subscriber, or mark it as valid if it was reported as invalid by mistake, ${REPLAY}`,
  },
  no_target: { title: 'Nothing to send to', remedy: `Give the subscriber a device or room, ${REPLAY}` },
  invalid_address: { title: 'The address is not valid', remedy: `Correct the address of the subscriber, ${REPLAY}` },
  provider: { title: 'The provider refused the message', remedy: `Correct what the provider names, ${REPLAY}` },
  uncertain: {
    title: 'The provider may have accepted the message',
    remedy:
      'Look the message up at the provider. If it is not there, replay the notification and confirm that the recipient may get it twice.',
  },
  invalid_delay: {
    title: 'The delay has no valid end',
    remedy: 'Correct the payload or the step, then trigger again.',
  },
  step_type_not_run: { title: 'Herald does not run steps of this type', remedy: 'Remove the step from the workflow.' },
  tenant_missing: { title: 'The tenant was deleted', remedy: `Create the tenant again, ${REPLAY}` },
  subscriber_missing: {
    title: 'The subscriber was deleted',
    remedy: 'Create the subscriber again, then trigger again.',
  },
  subscriber_deleted: {
    title: 'The subscriber was deleted',
    remedy: 'Nothing: what was left for the person was canceled.',
  },
  event_missing: { title: 'The event is no longer stored', remedy: 'Trigger the event again.' },
  earlier_step_failed: { title: 'An earlier step failed', remedy: 'Replay the step that failed; this one follows.' },
  transaction_canceled: {
    title: 'Canceled by a call of the API',
    remedy: 'Trigger the event again if it was a mistake.',
  },
  worker_lost: { title: 'Its workers ended unexpectedly', remedy: `Look at the log of the workers, ${REPLAY}` },
  expansion_lost: { title: 'Its workers ended unexpectedly', remedy: `Look at the log of the workers, ${REPLAY}` },
  internal_error: { title: 'An error in Herald', remedy: `Look at the log of Herald, ${REPLAY}` },
};

/** What the code of the last attempt says about a provider that did not take the message. */
const PROVIDER_CODES: Readonly<Record<string, Omit<Explanation, 'text'>>> = {
  unavailable: OUTAGE,
  timeout: OUTAGE,
  unreachable: OUTAGE,
  rate_limited: {
    title: 'The provider limits how much is sent',
    remedy: `Wait until the limit is over, or raise it at the provider, ${REPLAY}`,
  },
  unauthorized: {
    title: 'The provider did not accept the credentials',
    remedy: `Correct the credentials of the integration, ${REPLAY}`,
  },
  credentials_incomplete: {
    title: 'The credentials of the integration are incomplete',
    remedy: `Complete the credentials of the integration, ${REPLAY}`,
  },
  invalid_target: {
    title: 'The provider did not accept the address',
    remedy: `Correct the address of the subscriber, ${REPLAY}`,
  },
};

/** By whose setting a step was skipped, by the execution detail that says so. */
const PREFERENCES: Readonly<Record<string, Omit<Explanation, 'text'>>> = {
  'Step filtered by subscriber global preferences': {
    title: 'The subscriber has switched this channel off for all workflows',
    remedy: 'This is the choice of the subscriber. Critical workflows ignore it.',
  },
  'Step filtered by subscriber workflow preferences': {
    title: 'The subscriber has switched this channel off for the workflow',
    remedy: 'This is the choice of the subscriber. Critical workflows ignore it.',
  },
  'Step filtered by the workflow override of the tenant': {
    title: 'The override of the tenant switches this channel off',
    remedy: 'Change or delete the workflow override of the tenant.',
  },
  'Step filtered by workflow preferences': {
    title: 'The workflow switches this channel off',
    remedy: 'Change the preference settings of the workflow.',
  },
};

/** @returns undefined for a step that has done its work, or has yet to do it */
export function explanationOf(
  job: Pick<Job, 'status' | 'reason' | 'error' | 'executionDetails' | 'history'>,
): Explanation | undefined {
  const bounced = job.status === 'completed' ? reportOf(job) : undefined;
  if (bounced !== undefined) return bounced;
  if (!['failed', 'skipped', 'canceled'].includes(job.status)) return undefined;
  const text = job.error === undefined ? {} : { text: job.error };
  const { reason = '' } = job;
  if (reason === 'preferences') {
    const found = job.executionDetails.map(({ detail }) => PREFERENCES[detail]).findLast((one) => one !== undefined);
    return found ?? { title: 'Switched off by preferences', remedy: 'The details below show whose setting it was.' };
  }
  const code = job.history?.attempts.at(-1)?.code ?? '';
  const found = (reason === 'provider' ? PROVIDER_CODES[code] : undefined) ?? FIXED[reason];
  if (found !== undefined) return { ...found, ...text };
  return {
    title: job.status === 'failed' ? 'The step failed' : `The step was ${job.status}`,
    ...text,
    remedy: 'See the details below.',
  };
}

/** The provider accepted the message, and reported afterwards that it did not arrive or was not wanted. */
function reportOf({ executionDetails }: Pick<Job, 'executionDetails'>): Explanation | undefined {
  const found = executionDetails.findLast(
    ({ webhookStatus, status }) => webhookStatus !== undefined && status === 'Failed',
  );
  if (found === undefined) return undefined;
  return {
    title: `The provider accepted the message, then reported: ${found.webhookStatus}`,
    text: found.detail,
    remedy: 'Correct the address of the subscriber, then trigger again: a message that was accepted is not replayed.',
  };
}

/** The step that says why the recipient did not get everything: a failed one before a skipped or canceled one. */
export function decisiveJob<T extends Pick<Job, 'status' | 'executionDetails'>>(jobs: readonly T[]): T | undefined {
  const byStatus = ['failed', 'skipped', 'canceled'].map((status) => jobs.find((job) => job.status === status));
  return byStatus.find((job) => job !== undefined) ?? jobs.find((job) => reportedFailure(job) !== undefined);
}

/** One line for lists: the words of the error, or the reason. */
export function reasonLine({ jobs }: Pick<Notification, 'jobs'>): string {
  const job = decisiveJob(jobs);
  const found = job && explanationOf(job);
  return found?.text ?? found?.title ?? '';
}

export function isReplayable({ status, jobs }: Pick<Notification, 'status' | 'jobs'>): boolean {
  return status === 'failed' && jobs.some((job) => job.status === 'failed');
}

/** Whether a provider may have a message already, so that a replay needs to be told so. */
export function isUncertain({ jobs }: Pick<Notification, 'jobs'>): boolean {
  return jobs.some(({ status, reason }) => status === 'failed' && reason === 'uncertain');
}

const ADDRESS_CHANNELS = ['email', 'sms'] as const;
export type AddressChannel = (typeof ADDRESS_CHANNELS)[number];

/** The channel whose address Herald does not use, because a provider reported it as invalid. */
export function refusedAddress({
  type,
  status,
  reason,
}: Pick<Job, 'type' | 'status' | 'reason'>): AddressChannel | undefined {
  return status === 'failed' && reason === 'no_address' ? ADDRESS_CHANNELS.find((one) => one === type) : undefined;
}
