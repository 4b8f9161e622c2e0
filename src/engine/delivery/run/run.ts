import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { Injectable } from '@nestjs/common';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { momentOf, SUBSCRIBER_ZONE, zoneOf } from '#libs/schedule';
import type { DetailBatch } from '../../execution-details/index.js';
import type { SentMessage } from '../../messages/store/index.js';
import type { Branding } from '../../../platform/organizations/index.js';
import type { ChannelPreference } from '../../../content/preferences/index.js';
import type { AddressedLinks } from '../../../platform/recipient-links/index.js';
import type { ResolvedSubscriber } from '../../../audience/subscribers/index.js';
import type { ChannelSwitches } from '../../../content/workflows/index.js';
import type { NotificationRecord, StepState } from '../records/notification.js';
import type { RunTenant, TriggerEventRecord } from '../records/trigger-event.js';
import type { RunStep, RunWorkflow } from '../records/workflow-version.js';
import type { Effects } from './step-recorder.js';
import type { TransitionContext } from './transitions.js';

export interface RunFacts {
  readonly subscriber: ResolvedSubscriber;
  /** The subscriber was deleted: the run only ends. */
  isSubscriberDeleted?: true;
  readonly branding: Branding;
  /** Makes the links with which recipients unsubscribe; absent where Herald does not know its own address. */
  readonly links?: AddressedLinks;
  readonly actor?: ResolvedSubscriber;
  readonly tenant?: RunTenant;
  /** The event names a tenant that no longer exists. */
  readonly isTenantMissing?: boolean;
  readonly override?: { readonly id: string; readonly channels: Partial<ChannelSwitches> };
  /** The subscriber's preferences; absent where there are none. */
  globalPreference?: ChannelPreference;
  workflowPreference?: ChannelPreference;
}

/** A notification that this worker holds. */
export interface Run {
  readonly record: NotificationRecord;
  /** False until its first write: it exists only in this process, and would be expanded again after a crash. */
  isStored: boolean;
  /** When it begins, if its event does not begin for all at once. Only before its first write. */
  beginAt?: Date;
  /** A worker may have begun its current step before. */
  readonly wasClaimed: boolean;
  /** The lease under which it was read; its writes are guarded by it. */
  lease: string;
  /** When the store last showed that it was not canceled. */
  seenAt: Date;
  readonly event: TriggerEventRecord;
  readonly workflow: RunWorkflow;
  readonly facts: RunFacts;
  /** Set while it is about to wait together with other runs. */
  entry?: { readonly slot: string; readonly until: Date };
  /** Payloads that its digests collected, its own among them, oldest first. */
  digestEvents?: readonly Record<string, unknown>[];
  /** What templates see, kept by `templateVariables` until `digestEvents` changes. */
  variables?: { readonly of: Run['digestEvents']; readonly values: Record<string, unknown> };
  readonly effects: Effects;
  /** What its last step got from outside is not stored yet, and decides about the steps that follow. */
  hasNews?: boolean;
  /** What a worker had delivered that died before it wrote the state of the run. */
  delivered?: readonly SentMessage[];
}

/**
 * The workflow's step that a run is at. The steps of both stand in the same order: a run keeps its version. Runs that were
 * planned before all step types were among them lack some.
 */
export function workflowStep({ workflow, record }: Run): RunStep | undefined {
  const state = record.steps[record.current];
  const step = workflow.steps[record.current];
  if (state === undefined || step?._id.equals(state.stepId) === true) return step;
  return workflow.steps.find(({ _id }) => _id.equals(state.stepId));
}

/** When a run begins that is to begin later: at a time of day of its subscriber, which wins, or in its turn. */
export function beginningOf({ event, facts, beginAt }: Pick<Run, 'event' | 'facts' | 'beginAt'>): Date | undefined {
  if (event.localTime === undefined) return beginAt;
  return momentOf(event.localTime, zoneOf({ timezone: SUBSCRIBER_ZONE }, facts.subscriber.timezone));
}

/** The environment of a run, 24 hex digits. */
export function environmentOf({ record }: Run): string {
  return record._environmentId.toHexString();
}

/** All runs of an event ask for its caller, several times each. */
const callers = new WeakMap<TriggerEventRecord, TenantContext>();

/** The caller on whose behalf the engine works. */
export function tenantOf(event: TriggerEventRecord): TenantContext {
  const known = callers.get(event);
  if (known !== undefined) return known;
  const caller = {
    organizationId: event._organizationId.toHexString(),
    environmentId: event._environmentId.toHexString(),
    userId: event._userId.toHexString(),
    apiKeyId: event._apiKeyId.toHexString(),
  };
  callers.set(event, caller);
  return caller;
}

export interface PlannedRecipient {
  /** Record id, 24 hex digits. */
  readonly _id: string;
  readonly subscriberId: string;
}

type PlannedEvent = Pick<
  TriggerEventRecord,
  '_id' | '_organizationId' | '_environmentId' | '_templateId' | 'transactionId' | 'test'
>;

/** One recipient's run of an event before its first step: always the same for the same event, workflow and recipient. */
export function planRun(
  workflow: Pick<RunWorkflow, 'steps' | 'tags'>,
  event: PlannedEvent,
  recipient: PlannedRecipient,
  now: Date,
): NotificationRecord {
  const _id = notificationIdFor(event._id, recipient.subscriberId);
  const steps = workflow.steps.map((step, place): StepState => ({
    _id: derivedId(_id, String(place)),
    stepId: step._id,
    type: step.type,
    status: 'pending',
    attempt: 0,
  }));
  return {
    _id,
    _organizationId: event._organizationId,
    _environmentId: event._environmentId,
    _eventId: event._id,
    transactionId: event.transactionId,
    _templateId: event._templateId,
    _subscriberId: new Types.ObjectId(recipient._id),
    subscriberId: recipient.subscriberId,
    channels: [...new Set(workflow.steps.map(({ type }) => type))],
    ...(event.test && { isTest: true }),
    ...(workflow.tags.length > 0 && { tags: [...workflow.tags] }),
    status: 'active',
    current: 0,
    steps,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * An id that is always the same for the same parts, so that doing something again makes no second record. The first four
 * bytes are those of `parent` (its time), which keeps neighbours together in the index.
 */
function derivedId(parent: Types.ObjectId, part: string): Types.ObjectId {
  const digest = createHash('sha1').update(parent.id).update(part).digest();
  const id = new Uint8Array(12);
  id.set(parent.id.subarray(0, 4), 0);
  id.set(digest.subarray(0, 8), 4);
  return new Types.ObjectId(id);
}

export function notificationIdFor(eventId: Types.ObjectId, subscriberId: string): Types.ObjectId {
  return derivedId(eventId, subscriberId);
}

type Owner = Pick<
  NotificationRecord,
  '_id' | '_organizationId' | '_environmentId' | '_templateId' | '_subscriberId' | 'transactionId'
>;

export function ownerOf(record: Owner): Omit<DetailBatch, 'id' | 'entries'> {
  return {
    organizationId: record._organizationId,
    environmentId: record._environmentId,
    notificationId: record._id,
    workflowId: record._templateId,
    subscriberId: record._subscriberId,
    transactionId: record.transactionId,
  };
}

/** The time of transitions, and for how long a run is kept after its end. */
@Injectable()
export class RunClock {
  private readonly retentionDays: number;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  now(): Date {
    return this.clock.now();
  }

  /** Of a transition that happens now. */
  context(now = this.clock.now()): TransitionContext {
    return { now, retentionDays: this.retentionDays };
  }
}
