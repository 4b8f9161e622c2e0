import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { SubscribersService } from '../../subscribers/index.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { WorkflowSnapshots } from '../records/workflow-version.js';
import { LostRuns } from '../run/lost-runs.js';
import { planRun } from '../run/plan-run.js';
import { tenantOf } from '../run/run.js';

const REASON = 'Workers died or stood still over its expansion again and again.';
/** Recipients who get a failed notification: they stand for the others of a larger event. */
const MAX_DESCRIBED = 250;

/** Ends events whose expansion no worker survives. */
@Injectable()
export class AbandonedEvents {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly subscribers: SubscribersService,
    private readonly lost: LostRuns,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  async setAside(events: readonly TriggerEventRecord[]): Promise<void> {
    for (const event of events) {
      if (!(await this.events.setAside(event, REASON))) continue;
      this.logger.error(new Error(`Event ${event.transactionId} is set aside. ${REASON}`), AbandonedEvents.name);
      await this.describe(event);
    }
  }

  /** A failed notification for each named recipient who exists and has none yet. */
  private async describe(event: TriggerEventRecord): Promise<void> {
    const workflow = (await this.snapshots.find([event.snapshotId])).get(event.snapshotId);
    if (workflow === undefined) return;
    const ids = event.recipients.list.slice(0, MAX_DESCRIBED).map(({ subscriberId }) => subscriberId);
    const found = await this.subscribers.findByExternalIds(tenantOf(event), ids);
    const now = this.clock.now();
    const records = [...found.values()].map((subscriber) => planRun(workflow, event, subscriber, now));
    await this.lost.insert(records.map((record) => ({ record, reason: 'expansion_lost' })));
  }
}
