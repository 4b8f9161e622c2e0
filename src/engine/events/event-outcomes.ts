import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NotificationRecord, TriggerEventRecord } from '../delivery/index.js';
import { NotificationStore } from '../delivery/index.js';
import type { EventOutcome, EventStep } from './event.response.js';

const MAX_EVENTS = 500;
const BATCH = 500;
/** More are found with GET /v1/notifications?transactionId=. */
const MAX_SHOWN_IDS = 100;
/** Large events are counted less often, so that polling costs others no time: once a second for 10,000 notifications. */
export const MS_PER_NOTIFICATION = 0.1;

type CountedRow = Pick<NotificationRecord, '_id' | 'status' | 'steps'>;
const FIELDS = { status: 1, 'steps.stepId': 1, 'steps.type': 1, 'steps.status': 1 } as const;

/** What came of events, counted over their notifications. Requests for the same event share a count. */
@Injectable()
export class EventOutcomes {
  private readonly counts = new LRUCache<string, EventOutcome, TriggerEventRecord>({
    max: MAX_EVENTS,
    ttl: 1,
    fetchMethod: (_id, _stale, { context, options }) => {
      options.ttl = Math.ceil(1 + context.expanded * MS_PER_NOTIFICATION);
      return this.count(context);
    },
  });

  constructor(private readonly notifications: NotificationStore) {}

  async of(event: TriggerEventRecord): Promise<EventOutcome> {
    return (await this.counts.fetch(event._id.toHexString(), { context: event })) ?? this.count(event);
  }

  /** Without what an earlier request has counted. */
  async now(event: TriggerEventRecord): Promise<EventOutcome> {
    return this.count(event);
  }

  private async count({ _environmentId, transactionId, wakeAt }: TriggerEventRecord): Promise<EventOutcome> {
    const outcomes = { active: 0, completed: 0, failed: 0, merged: 0, canceled: 0 };
    const steps = new Map<string, EventStep>();
    const notificationIds: string[] = [];
    const rows = this.notifications.collection
      .find({ _environmentId, transactionId }, { batchSize: BATCH })
      .project<CountedRow>(FIELDS)
      .sort({ createdAt: -1, _id: -1 });
    for await (const row of rows) {
      outcomes[row.status]++;
      if (notificationIds.length < MAX_SHOWN_IDS) notificationIds.push(row._id.toHexString());
      for (const step of row.steps) countStep(steps, step);
    }
    // A canceled event may still have a worker that is about to store runs.
    const ended = wakeAt === undefined && outcomes.active === 0;
    return { ended, outcomes, steps: [...steps.values()], notificationIds };
  }
}

function countStep(steps: Map<string, EventStep>, { stepId, type, status }: NotificationRecord['steps'][number]): void {
  const id = stepId.toHexString();
  const known = steps.get(id) ?? { stepId: id, type, outcomes: {} };
  known.outcomes[status] = (known.outcomes[status] ?? 0) + 1;
  steps.set(id, known);
}
