export { typeLabel } from '../step-types/labels.js';
import type { Tone } from '../ui/status.js';
import type { Schemas } from '../api/client.js';

export type Notification = Schemas['NotificationResponse'];
export type Job = Schemas['JobResponse'];

interface Word {
  readonly tone: Tone;
  readonly label: string;
}

const NOTIFICATION: Readonly<Record<Notification['status'], Word>> = {
  active: { tone: 'busy', label: 'Active' },
  completed: { tone: 'good', label: 'Completed' },
  failed: { tone: 'bad', label: 'Failed' },
  merged: { tone: 'idle', label: 'Merged' },
  canceled: { tone: 'idle', label: 'Canceled' },
};

const JOB: Readonly<Record<Job['status'], Word>> = {
  pending: { tone: 'busy', label: 'Not started' },
  queued: { tone: 'busy', label: 'Queued' },
  running: { tone: 'busy', label: 'Running' },
  delayed: { tone: 'busy', label: 'Delayed' },
  merged: { tone: 'idle', label: 'Merged' },
  completed: { tone: 'good', label: 'Completed' },
  skipped: { tone: 'warn', label: 'Skipped' },
  failed: { tone: 'bad', label: 'Failed' },
  canceled: { tone: 'idle', label: 'Canceled' },
};

const NOT_DELIVERED: Word = { tone: 'bad', label: 'Not delivered' };
const UNCERTAIN: Word = { tone: 'bad', label: 'May be delivered' };

/** What a provider reported after it had accepted a message: it bounced, was dropped or complained about. */
export function reportedFailure({ executionDetails }: Pick<Job, 'executionDetails'>): string | undefined {
  return executionDetails.findLast(({ webhookStatus, status }) => webhookStatus !== undefined && status === 'Failed')
    ?.webhookStatus;
}

/**
 * A failed notification is dead if no attempt is left; a completed one may have sent nothing, or its message may have
 * bounced afterwards.
 */
export function notificationWord({ status, jobs }: Pick<Notification, 'status' | 'jobs'>): Word {
  const reported = jobs.map(reportedFailure).find((one) => one !== undefined);
  if (status === 'completed' && reported !== undefined) return { tone: 'bad', label: capital(reported) };
  const dead = status === 'failed' ? jobs.filter(({ deadLetter }) => deadLetter) : [];
  if (dead.length > 0) return dead.every(({ uncertain }) => uncertain) ? UNCERTAIN : NOT_DELIVERED;
  if (status === 'completed' && jobs.some((job) => job.status === 'skipped')) {
    const isNothingSent = !jobs.some((job) => job.status === 'completed');
    const skipped = jobs.filter((job) => job.status === 'skipped').length;
    return isNothingSent ? JOB.skipped : { tone: 'good', label: `Completed, ${skipped} skipped` };
  }
  return NOTIFICATION[status];
}

export function jobWord(job: Pick<Job, 'status' | 'deadLetter' | 'uncertain' | 'executionDetails'>): Word {
  const reported = job.status === 'completed' ? reportedFailure(job) : undefined;
  if (reported !== undefined) return { tone: 'bad', label: capital(reported) };
  if (job.status !== 'failed' || !job.deadLetter) return JOB[job.status];
  return job.uncertain ? UNCERTAIN : NOT_DELIVERED;
}

/** The in-app feed is a provider with a name of its own. */
export function providerLabel(providerId: string): string {
  return providerId === 'novu' ? 'In-app feed' : providerId;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
