import { type Job, type Notification, reportedFailure } from './words.js';

/** The step that says why the recipient did not get everything: a failed one before a skipped or canceled one. */
export function decisiveJob<T extends Pick<Job, 'status' | 'executionDetails'>>(jobs: readonly T[]): T | undefined {
  const byStatus = ['failed', 'skipped', 'canceled'].map((status) => jobs.find((job) => job.status === status));
  return byStatus.find((job) => job !== undefined) ?? jobs.find((job) => reportedFailure(job) !== undefined);
}

/** One line for lists: the words of the error, or the reason. */
export function reasonLine({ jobs }: Pick<Notification, 'jobs'>): string {
  const found = decisiveJob(jobs)?.explanation;
  return found?.text ?? found?.title ?? '';
}

export function isReplayable({ status, jobs }: Pick<Notification, 'status' | 'jobs'>): boolean {
  return status === 'failed' && jobs.some((job) => job.status === 'failed');
}

/** Whether a provider may have a message already, so that a replay needs to be told so. */
export function isUncertain({ jobs }: Pick<Notification, 'jobs'>): boolean {
  return jobs.some(({ uncertain }) => uncertain === true);
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
