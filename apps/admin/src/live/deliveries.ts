import type { HeraldClient, CallOptions } from '../files/herald-client.js';

/** What commands read of a step of a notification. */
export interface Job {
  readonly _id: string;
  readonly type: string;
  readonly status: string;
  readonly step: { readonly uuid?: string; readonly name?: string };
  readonly providerId?: string;
  readonly reason?: string;
  readonly explanation?: { readonly title: string; readonly text?: string; readonly remedy: string };
  readonly replays?: number;
  readonly finishedAt?: string;
  readonly dueAt?: string;
}

export interface Notification {
  readonly _id: string;
  readonly createdAt: string;
  readonly transactionId: string;
  readonly status: string;
  readonly subscriber?: { readonly subscriberId: string };
  readonly template?: { readonly triggers: readonly { readonly identifier: string }[] };
  readonly jobs: readonly Job[];
}

/** What became of one step, for programs. */
export interface Delivery {
  readonly at: string;
  readonly workflow: string;
  readonly subscriberId: string;
  readonly channel: string;
  readonly status: string;
  readonly step?: string;
  readonly providerId?: string;
  readonly reason?: string;
  readonly explanation?: Job['explanation'];
  readonly dueAt?: string;
  readonly transactionId: string;
  readonly notificationId: string;
  readonly jobId: string;
}

export const ENDED: readonly string[] = ['completed', 'skipped', 'failed', 'canceled', 'merged'];
const PAGE_SIZE = 100;

export function deliveryOf(notification: Notification, job: Job): Delivery {
  const { step, providerId, reason, explanation, dueAt } = job;
  const name = step.name ?? step.uuid;
  return {
    at: job.finishedAt ?? notification.createdAt,
    workflow: notification.template?.triggers[0]?.identifier ?? '(deleted)',
    subscriberId: notification.subscriber?.subscriberId ?? '(deleted)',
    channel: job.type,
    status: job.status,
    ...(name !== undefined && { step: name }),
    ...(providerId !== undefined && { providerId }),
    ...(reason !== undefined && { reason }),
    ...(explanation && { explanation }),
    ...(dueAt !== undefined && { dueAt }),
    transactionId: notification.transactionId,
    notificationId: notification._id,
    jobId: job._id,
  };
}

/** Why a step did not send, on one line; empty for what needs no words. */
export function whyLine({ explanation, status, dueAt }: Delivery): string {
  if (explanation !== undefined) {
    const { title, text } = explanation;
    return text === undefined || text === title ? title : `${title}: ${text}`;
  }
  return dueAt !== undefined && !ENDED.includes(status) ? `until ${dueAt}` : '';
}

/** All pages of a list of notifications. A row that moves to a later page while they are read comes twice. */
export async function* notificationsOf(
  client: HeraldClient,
  query: readonly (readonly [string, string])[],
  options: CallOptions,
): AsyncGenerator<Notification> {
  for (let page = 0; ; page += 1) {
    const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
    parameters.set('page', String(page));
    parameters.set('limit', String(PAGE_SIZE));
    const { data, hasMore } = await client.call(
      'GET',
      `/v1/notifications?${parameters.toString()}`,
      undefined,
      options,
    );
    yield* data as Notification[];
    if (!hasMore) return;
  }
}
