import { Injectable } from '@nestjs/common';
import type { Backlog, WorkQueue } from '#libs/work';
import type { Gauge, Reading } from '#libs/telemetry';
import { DeliveryQueues } from '../../engine/delivery/index.js';
import { QuestionQueue } from '../../engine/questions/index.js';
import { ScheduleQueue } from '../../engine/schedules/index.js';
import { WebhookQueue } from '../../outcomes/webhooks/index.js';

/** Answers are no older than a second, so that figures can be compared with the store from second to second. */
const FRESH_MS = 1_000;
/** While a store is so busy that counting takes long, it is done less often. */
const REST_FACTOR = 20;
const MAX_FRESH_MS = 5_000;

type QueueName = 'events' | 'notifications' | 'webhooks' | 'schedules' | 'questions';

type Queue = Pick<WorkQueue<never>, 'backlog' | 'claimed'>;

/** Each number is counted up to 10,000. */
export interface QueueBacklog extends Omit<Backlog, 'oldestMs'> {
  readonly queue: QueueName;
  readonly oldestDueSeconds: number;
}

const STATES = [
  ['waiting', 'waiting'],
  ['due', 'due'],
  ['claimed', 'claimed'],
  ['suspected', 'suspected'],
  ['set_aside', 'setAside'],
] as const;

@Injectable()
export class WorkBacklogs {
  private readonly queues: readonly (readonly [QueueName, Queue])[];
  private last: { until: number; readonly backlogs: Promise<QueueBacklog[]> } | undefined;

  constructor(delivery: DeliveryQueues, webhooks: WebhookQueue, schedules: ScheduleQueue, questions: QuestionQueue) {
    this.queues = [
      ['events', delivery.events],
      ['notifications', delivery.notifications],
      ['webhooks', webhooks],
      ['schedules', schedules],
      ['questions', questions],
    ];
  }

  read(): Promise<QueueBacklog[]> {
    if (this.last === undefined || performance.now() >= this.last.until) this.last = this.count();
    return this.last.backlogs;
  }

  private count(): NonNullable<WorkBacklogs['last']> {
    const startedAt = performance.now();
    const backlogs = Promise.all(this.queues.map(([name, queue]) => backlogOf(name, queue)));
    const counted = { until: Infinity, backlogs };
    backlogs.then(
      () => {
        const endedAt = performance.now();
        const restMs = (endedAt - startedAt) * REST_FACTOR;
        counted.until = endedAt + Math.min(Math.max(FRESH_MS, restMs), MAX_FRESH_MS);
      },
      () => {
        if (this.last === counted) this.last = undefined;
      },
    );
    return counted;
  }

  gauges(): Gauge[] {
    return [
      {
        name: 'herald_work_due',
        help: 'Records that are due and that no worker has claimed, counted up to 10,000.',
        labels: ['queue'],
        kind: 'level',
        read: async () => (await this.read()).map(({ queue, due }) => reading(queue, due)),
      },
      {
        name: 'herald_work_oldest_due_seconds',
        help: 'How long the oldest unfinished record has been due, whether or not a worker has claimed it.',
        labels: ['queue'],
        kind: 'level',
        read: async () => (await this.read()).map(({ queue, oldestDueSeconds }) => reading(queue, oldestDueSeconds)),
      },
      {
        name: 'herald_work_unfinished',
        help: 'Records that are not finished, by state, each counted up to 10,000.',
        labels: ['queue', 'state'],
        kind: 'level',
        read: async () => (await this.read()).flatMap(statesOf),
      },
      this.claimGauge('herald_work_claims_total', 'Claims of this process that found work.', 'claims'),
      this.claimGauge('herald_work_claimed_records_total', 'Records that this process has claimed.', 'records'),
    ];
  }

  private claimGauge(name: string, help: string, of: 'claims' | 'records'): Gauge {
    const read = (): Promise<Reading[]> =>
      Promise.resolve(this.queues.map(([queue, { claimed }]) => reading(queue, claimed[of])));
    return { name, help, labels: ['queue'], kind: 'total', read };
  }
}

async function backlogOf(name: QueueName, queue: Queue): Promise<QueueBacklog> {
  const { oldestMs, ...counts } = await queue.backlog();
  return { queue: name, ...counts, oldestDueSeconds: Math.round(oldestMs / 100) / 10 };
}

function statesOf(backlog: QueueBacklog): Reading[] {
  return STATES.map(([state, field]) => ({ labels: { queue: backlog.queue, state }, value: backlog[field] }));
}

function reading(queue: string, value: number): Reading {
  return { labels: { queue }, value };
}
