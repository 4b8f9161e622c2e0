import { Injectable } from '@nestjs/common';
import type { WorkQueue } from '#libs/work';
import type { Gauge, Reading } from '#libs/telemetry';
import { DeliveryQueues } from '../delivery/index.js';
import { WebhookQueue } from '../webhooks/index.js';

/** How long an answer of the store is used again, however often metrics are read. */
const FRESH_MS = 5_000;

type QueueName = 'events' | 'notifications' | 'webhooks';

type Queue = Pick<WorkQueue<never>, 'backlog' | 'claimed'>;

export interface QueueBacklog {
  readonly queue: QueueName;
  /** Counted up to 10,000. */
  readonly due: number;
  readonly oldestDueSeconds: number;
}

/** How much work is due, and for how long, by queue. */
@Injectable()
export class WorkBacklogs {
  private readonly queues: readonly (readonly [QueueName, Queue])[];
  private last: { readonly at: number; readonly backlogs: Promise<QueueBacklog[]> } | undefined;

  constructor(delivery: DeliveryQueues, webhooks: WebhookQueue) {
    this.queues = [
      ['events', delivery.events],
      ['notifications', delivery.notifications],
      ['webhooks', webhooks],
    ];
  }

  read(): Promise<QueueBacklog[]> {
    const at = performance.now();
    if (this.last === undefined || at - this.last.at >= FRESH_MS) {
      const backlogs = Promise.all(this.queues.map(([name, queue]) => backlogOf(name, queue)));
      const asked = { at, backlogs };
      this.last = asked;
      backlogs.catch(() => {
        if (this.last === asked) this.last = undefined;
      });
    }
    return this.last.backlogs;
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
        help: 'How long the oldest of them has been due.',
        labels: ['queue'],
        kind: 'level',
        read: async () => (await this.read()).map(({ queue, oldestDueSeconds }) => reading(queue, oldestDueSeconds)),
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
  const { due, oldestMs } = await queue.backlog();
  return { queue: name, due, oldestDueSeconds: Math.round(oldestMs / 100) / 10 };
}

function reading(queue: string, value: number): Reading {
  return { labels: { queue }, value };
}
