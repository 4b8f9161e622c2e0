import { Injectable } from '@nestjs/common';
import type { DueWork } from '#libs/work';
import { DeliveryWorker } from '../../engine/delivery/index.js';
import { SnoozeWorker } from '../../engine/messages/marks/index.js';
import { QuestionWorker } from '../../engine/questions/index.js';
import { ScheduleWorker } from '../../engine/schedules/index.js';
import { ReceiptWorker } from '../../outcomes/provider-callbacks/index.js';
import { WebhookWorker } from '../../outcomes/webhooks/index.js';

/** Everything that waits for its time in this process. */
@Injectable()
export class WaitingWork {
  /** In the order in which one brings the other work. */
  private readonly work: readonly DueWork[];

  constructor(
    schedules: ScheduleWorker,
    questions: QuestionWorker,
    deliveries: DeliveryWorker,
    snoozes: SnoozeWorker,
    receipts: ReceiptWorker,
    webhooks: WebhookWorker,
  ) {
    this.work = [schedules, questions, deliveries, snoozes, receipts, webhooks].map(({ due }) => due);
  }

  /** Until all have found nothing in a row: what one does may be work of another. */
  async runDue(): Promise<void> {
    for (let idle = 0; idle < this.work.length;) {
      for (const work of this.work) idle = (await work.runDue()) > 0 ? 0 : idle + 1;
    }
  }

  /** When something becomes due next. */
  async nextAt(): Promise<Date | undefined> {
    const times = await Promise.all(this.work.map((work) => work.nextWakeAt()));
    const next = Math.min(...times.map((time) => time?.getTime() ?? Infinity));
    return Number.isFinite(next) ? new Date(next) : undefined;
  }
}
