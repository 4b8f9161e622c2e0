import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { DEAD_LETTERS, NOTIFICATIONS_ENDED } from '#libs/telemetry';
import {
  DETAIL,
  type DetailBatch,
  ExecutionDetailsService,
  extendTrail,
  type NewDetail,
} from '../../execution-details/index.js';
import { SubscribersService } from '../../../audience/subscribers/index.js';
import { type NotificationRecord, NotificationStore, type StepState } from '../records/notification.js';
import { RunsEnded } from '../records/delivery.events.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { WorkflowSnapshots } from '../records/workflow-version.js';
import { AttemptsEnded, failureOf, interruptionDetails, type OwnAttempts } from './step-recorder.js';
import { Announcer } from './outcome-writer.js';
import { ownerOf, planRun, RunClock, tenantOf } from './run.js';
import { logFailure } from './run-telemetry.js';
import { currentStep, failRun } from './transitions.js';
import { UnwrittenSends } from './unwritten-sends.js';

const TEXTS = {
  event_missing: 'The event of this notification is no longer kept.',
  workflow_version_missing: 'The version of the workflow that this notification runs is no longer kept.',
  worker_lost:
    'It was run several times, and each time the worker died or stood still before there was an outcome. It is set aside as failed, and can be replayed.',
  expansion_lost:
    'The event was processed several times, and each time the worker died or stood still before its recipients were found. It is set aside as failed.',
} as const;
type LostReason = keyof typeof TEXTS;

export interface LostRun {
  readonly record: NotificationRecord;
  readonly reason: LostReason;
}

@Injectable()
export class LostRuns {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly details: ExecutionDetailsService,
    private readonly clock: RunClock,
    private readonly logger: AppLogger,
    private readonly announcer: Announcer,
    private readonly unwritten: UnwrittenSends,
  ) {}

  async end(lost: readonly LostRun[]): Promise<void> {
    if (lost.length === 0) return;
    const now = this.clock.now();
    const writes = lost.map(({ record }) => ({ record, lease: record.lease ?? '', evenIfCanceled: true }));
    const attempts = lost.map(attemptsOfLost);
    await this.announceSent(lost);
    const rest = new Map(lost.map((one) => [one.record, this.fail(one, now)]));
    const refused = await this.notifications.save(writes);
    await this.append(rest, refused.lost);
    await this.announce(attempts, refused.lost);
    await this.announceEnds(lost);
  }

  /** Stores runs as failed that never began. Those that are stored already stay as they are. */
  async insert(lost: readonly LostRun[]): Promise<void> {
    if (lost.length === 0) return;
    const now = this.clock.now();
    const attempts = lost.map(attemptsOfLost);
    await this.announceSent(lost);
    const rest = new Map(lost.map((one) => [one.record, this.fail(one, now)]));
    const stored = await this.notifications.insert(lost.map(({ record }) => record));
    await this.append(rest, stored);
    await this.announce(attempts, stored);
    await this.announceEnds(lost);
  }

  private async announceSent(lost: readonly LostRun[]): Promise<void> {
    await this.announcer.publish(await this.unwritten.eventsOf(lost.map(({ record }) => record)));
  }

  private async announce(lost: readonly LostAttempts[], without: ReadonlySet<NotificationRecord>): Promise<void> {
    const own = lost.filter(({ record, attempts }) => attempts.length > 0 && !without.has(record));
    if (own.length > 0) await this.announcer.publish([new AttemptsEnded(own)]);
  }

  private announceEnds(lost: readonly LostRun[]): Promise<void> {
    const events = lost.map(({ record: { _eventId: _id, _environmentId, transactionId } }) => ({
      _id,
      _environmentId,
      transactionId,
    }));
    return this.announcer.publish([new RunsEnded(events)]);
  }

  private append(
    rest: ReadonlyMap<NotificationRecord, DetailBatch>,
    without: ReadonlySet<NotificationRecord>,
  ): Promise<void> {
    return this.details.append([...rest].flatMap(([record, batch]) => (without.has(record) ? [] : [batch])));
  }

  /** @returns the details that have no room in the trail of the record */
  private fail({ record, reason }: LostRun, now: Date): DetailBatch {
    const entries = extendTrail(record, trailOf(record, reason, now), now);
    const isReplayable = isReplayableAfter(reason);
    const step = currentStep(record);
    if (reason === 'worker_lost') record.setAsideAt = now;
    failRun(record, { reason, error: TEXTS[reason], isReplayable }, this.clock.context(now));
    NOTIFICATIONS_ENDED.add({ status: 'failed' });
    if (step !== undefined) {
      if (isReplayable) DEAD_LETTERS.add({ type: step.type });
      logFailure(this.logger, record, step, { reason, error: TEXTS[reason] });
    }
    return { ...ownerOf(record), entries };
  }
}

interface LostAttempts extends OwnAttempts {
  readonly record: NotificationRecord;
}

function attemptsOfLost({ record, reason }: LostRun): LostAttempts {
  const step = currentStep(record);
  return { record, attempts: step === undefined ? [] : failureOf(step, isReplayableAfter(reason)) };
}

function isReplayableAfter(reason: LostReason): boolean {
  return reason === 'worker_lost' || reason === 'expansion_lost';
}

function trailOf(record: NotificationRecord, reason: LostReason, at: Date): NewDetail[] {
  const step = currentStep(record);
  return [
    ...(step ? interruptionDetails(step, at) : []),
    ...(step ? [entryOf(step, DETAIL.notificationError, TEXTS[reason], at)] : []),
    ...record.steps
      .filter((other) => other !== step && other.status === 'pending')
      .map((other) => entryOf(other, DETAIL.stepCanceled, { reason }, at)),
  ];
}

function entryOf({ _id, type }: StepState, detail: string, raw: unknown, at: Date): NewDetail {
  return { jobId: _id, channel: type, detail, raw, at };
}

const EXPANSION_REASON = 'Workers died or stood still over its expansion again and again.';
/** Recipients who get a failed notification: they stand for the others of a larger event. */
const MAX_DESCRIBED = 250;

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
      if (!(await this.events.setAside(event, EXPANSION_REASON))) continue;
      this.logger.event('error', `An event is set aside. ${EXPANSION_REASON}`, {
        transactionId: event.transactionId,
        context: AbandonedEvents.name,
      });
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
