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
  remedy: `Check the provider's status page. When the provider is available again, replay the notification.`,
};

const FIXED: Readonly<Record<string, Omit<Explanation, 'text'>>> = {
  conditions: {
    title: 'A step condition was not met',
    remedy: 'Compare the expected and the actual values. Change the trigger payload or the step conditions.',
  },
  schedule: {
    title: "Outside the subscriber's delivery hours",
    remedy: 'The subscriber chose this. Critical workflows ignore it.',
  },
  never_open: {
    title: 'The delivery hours never open',
    remedy: "Every day is closed, or the subscriber's hours and the send window never meet. Change one of them.",
  },
  first_backoff_event: {
    title: 'Nothing to collect yet',
    remedy: 'Nothing was sent recently, so the digest passed this event on immediately.',
  },
  http_request: {
    title: 'The request of the step failed',
    remedy: `Fix what the server reported, or the step, ${REPLAY}`,
  },
  budget: {
    title: 'The budget of the subscriber is used up',
    remedy:
      'Nothing is wrong: the details say which budget it is, how many messages it counts and when it opens again.',
  },
  budget_digest: {
    title: 'The message comes with the digest of a budget',
    remedy: 'Nothing is wrong: the details say which budget held it, and name the transaction of the digest.',
  },
  throttled: {
    title: 'The throttle has let enough events through',
    remedy: 'Nothing is wrong: the details of the throttle step say how many have passed, and when it opens again.',
  },
  wait_matched: {
    title: 'The event that the workflow waited for has come',
    remedy: 'Nothing is wrong: the details of the step that waits say when it came.',
  },
  wait_timed_out: {
    title: 'The event that the workflow waited for did not come in time',
    remedy: 'Nothing is wrong. With onTimeout: continue, the later steps run after the time limit.',
  },
  invalid_wait: {
    title: 'A value that the wait compares is missing',
    remedy: 'Add the value to the payload, or correct `match` of the step; then trigger the event again.',
  },
  conditions_failed: { title: 'A condition could not be evaluated', remedy: `Fix the condition, ${REPLAY}` },
  condition_webhook: {
    title: 'A condition webhook did not respond',
    remedy: `Make sure that the webhook is available, ${REPLAY}`,
  },
  content: {
    title: 'The content could not be rendered',
    remedy: 'Fix the step template, then trigger the event again.',
  },
  layout_not_found: { title: 'The layout does not exist', remedy: `Choose another layout for the step, ${REPLAY}` },
  no_active_integration: {
    title: 'No integration to send with',
    remedy: `Create or activate an integration for this channel, ${REPLAY}`,
  },
  no_channel: {
    title: 'The subscriber has no credentials for this channel',
    remedy: `Store the subscriber's credentials for a provider of this channel, ${REPLAY}`,
  },
  no_address: {
    title: 'The subscriber has no address for this channel',
    remedy: `Correct the subscriber's address, or mark it as valid if it was reported by mistake, ${REPLAY}`,
  },
  no_target: { title: 'No device or room to send to', remedy: `Add a device or room to the subscriber, ${REPLAY}` },
  invalid_address: { title: 'The address is not valid', remedy: `Correct the subscriber's address, ${REPLAY}` },
  provider: { title: 'The provider refused the message', remedy: `Fix what the provider reported, ${REPLAY}` },
  uncertain: {
    title: 'The provider may have accepted the message',
    remedy:
      'Look up the message at the provider. If it is not there, replay the notification and confirm that the recipient may get it twice.',
  },
  invalid_delay: {
    title: 'The delay has no valid end time',
    remedy: 'Fix the payload or the step, then trigger the event again.',
  },
  step_type_not_run: { title: 'Herald does not support this step type', remedy: 'Remove the step from the workflow.' },
  tenant_missing: { title: 'The tenant was deleted', remedy: `Create the tenant again, ${REPLAY}` },
  subscriber_missing: {
    title: 'The subscriber was deleted',
    remedy: 'Create the subscriber again, then trigger the event again.',
  },
  subscriber_deleted: {
    title: 'The subscriber was deleted',
    remedy: 'Nothing: what was left for the person was canceled.',
  },
  event_missing: { title: 'The event is no longer stored', remedy: 'Trigger the event again.' },
  workflow_version_missing: {
    title: 'The version of the workflow is no longer stored',
    remedy: 'Trigger the event again: it runs the present version.',
  },
  earlier_step_failed: {
    title: 'An earlier step failed',
    remedy: 'Replay the notification: the failed step runs first, then this one.',
  },
  transaction_canceled: {
    title: 'Canceled through the API',
    remedy: 'If this was a mistake, trigger the event again.',
  },
  worker_lost: { title: 'The worker stopped unexpectedly', remedy: `Check the worker logs, ${REPLAY}` },
  expansion_lost: { title: 'The worker stopped unexpectedly', remedy: `Check the worker logs, ${REPLAY}` },
  internal_error: { title: 'An internal error occurred', remedy: `Check the Herald logs, ${REPLAY}` },
};

const NO_ADDRESS = {
  title: 'The subscriber has no address for this channel',
  remedy:
    'Nothing needs repair. If the subscriber should get this message, store an address and trigger the event again. With "missingAddress": "fail", such notifications of the workflow fail, and can be replayed.',
};

const FAILED: typeof FIXED = {
  budget_digest: {
    title: 'The digest of a budget could not be sent',
    remedy: `Activate or correct the workflow that the budget names, ${REPLAY}`,
  },
};

const SKIPPED: typeof FIXED = { no_address: NO_ADDRESS, no_channel: NO_ADDRESS };

const OF_STATUS: Readonly<Partial<Record<Job['status'], typeof FIXED>>> = { skipped: SKIPPED, failed: FAILED };

/** What the code of the last attempt says about a provider that did not take the message. */
const PROVIDER_CODES: Readonly<Record<string, Omit<Explanation, 'text'>>> = {
  unavailable: OUTAGE,
  timeout: OUTAGE,
  unreachable: OUTAGE,
  rate_limited: {
    title: "The provider's rate limit was reached",
    remedy: `Wait, or ask the provider for a higher limit, ${REPLAY}`,
  },
  mailbox_deferred: {
    title: 'The mailbox takes no mail now',
    remedy: 'It may be full. When there is room again, or with another address, replay the notification.',
  },
  greylisted: {
    title: 'The mail server lets new senders wait',
    remedy: `Herald tries again when the server takes the mail. If the attempts were used up, raise DELIVERY_MAX_ATTEMPTS, ${REPLAY}`,
  },
  unauthorized: {
    title: 'The provider rejected the credentials',
    remedy: `Update the integration's credentials, ${REPLAY}`,
  },
  credentials_incomplete: {
    title: "The integration's credentials are incomplete",
    remedy: `Complete the integration's credentials, ${REPLAY}`,
  },
  invalid_target: {
    title: 'The provider rejected the address',
    remedy: `Correct the subscriber's address, ${REPLAY}`,
  },
};

/** By whose setting a step was skipped, by the execution detail that says so. */
const PREFERENCES: Readonly<Record<string, Omit<Explanation, 'text'>>> = {
  'Step filtered by subscriber global preferences': {
    title: 'The subscriber disabled this channel for all workflows',
    remedy: 'The subscriber chose this. Critical workflows ignore it.',
  },
  'Step filtered by subscriber workflow preferences': {
    title: 'The subscriber disabled this channel for this workflow',
    remedy: 'The subscriber chose this. Critical workflows ignore it.',
  },
  'Step filtered by the workflow override of the tenant': {
    title: 'A tenant override disables this channel',
    remedy: "Change or delete the tenant's workflow override.",
  },
  'Step filtered by workflow preferences': {
    title: 'The workflow disables this channel by default',
    remedy: "Change the workflow's preference settings.",
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
    return found ?? { title: 'Disabled by preferences', remedy: 'The details below show which setting applied.' };
  }
  const code = job.history?.attempts.at(-1)?.code ?? '';
  const special = reason === 'provider' ? PROVIDER_CODES[code] : OF_STATUS[job.status]?.[reason];
  const found = special ?? FIXED[reason];
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
    remedy: "Correct the subscriber's address, then trigger the event again: accepted messages are not replayed.",
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
