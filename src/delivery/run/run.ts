import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import type { NewDetail } from '../../execution-details/index.js';
import { messageIdFor, type MessageOutcome, type NewMessage } from '../../messages/index.js';
import type { NotificationRecord, StepState } from '../records/notification.record.js';
import type { TriggerEventRecord } from '../records/trigger-event.record.js';
import type { Branding } from '../../organizations/index.js';
import type { ChannelPreference } from '../../preferences/index.js';
import type { ChannelSwitches } from '../../workflows/index.js';
import type { ResolvedSubscriber } from '../../subscribers/index.js';
import { MessageSent } from '../delivery.events.js';
import type { RunStep, RunWorkflow } from '../records/run-workflow.js';

/** The tenant that an event names. */
export interface RunTenant {
  readonly _id: string;
  readonly identifier: string;
  readonly name: string;
  readonly data?: Record<string, unknown>;
}

/** What the steps of a run may know, read when it was taken up. */
export interface RunFacts {
  readonly subscriber: ResolvedSubscriber;
  /** Of the organization. */
  readonly branding: Branding;
  readonly actor?: ResolvedSubscriber;
  readonly tenant?: RunTenant;
  /** The event names a tenant that is no longer there. */
  readonly isTenantMissing?: boolean;
  /** The tenant's own switches for this workflow. */
  readonly override?: { readonly id: string; readonly channels: Partial<ChannelSwitches> };
  /** What the subscriber has said. */
  globalPreference?: ChannelPreference;
  workflowPreference?: ChannelPreference;
}

/** A notification in a worker's hands. */
export interface Run {
  /** Changed in memory by the steps; what is written and when is the engine's business. */
  readonly record: NotificationRecord;
  /** False until its first write: it exists only in this process, and would be expanded again after a crash. */
  isStored: boolean;
  /** Somebody may have begun with its current step before. */
  readonly wasClaimed: boolean;
  /** The lease under which it was read; its writes are guarded by it. */
  lease: string;
  readonly event: TriggerEventRecord;
  readonly workflow: RunWorkflow;
  readonly facts: RunFacts;
  /** Set while it is about to take part in a digest. */
  digestEntry?: { readonly slot: string; readonly until: Date };
  /** Payloads that its digests collected, its own among them, oldest first. */
  digestEvents?: readonly Record<string, unknown>[];
  readonly effects: Effects;
}

/** What a run has to write besides its own state. */
export class Effects {
  /** Names the details in the store: written again after a fault, they are there once. */
  detailsId = new Types.ObjectId();
  messages: NewMessage[] = [];
  outcomes: MessageOutcome[] = [];
  details: NewDetail[] = [];
  /** Domain events, published after everything is stored. */
  events: object[] = [];

  detail(step: StepState, detail: string, at: Date, more: Partial<NewDetail> = {}): void {
    this.details.push({
      jobId: step._id,
      channel: step.type,
      detail,
      at,
      ...(step.replays !== undefined && { isRetry: true }),
      // Dashboards group the trail of a push step by its provider from the beginning.
      ...(step.type === 'push' && step.providerId !== undefined && { providerId: step.providerId }),
      ...more,
    });
  }

  /**
   * Leaves only what has happened outside: what a provider took. The rest is the work of whoever has the run now, who
   * would say it again or otherwise.
   */
  keepFacts(): void {
    const sent = this.messages.filter(({ channel, status }) => channel !== 'in_app' && status === 'sent');
    if (sent.length === 0) {
      this.clear();
      return;
    }
    const ids = new Set(sent.map((message) => messageIdFor(message).toHexString()));
    this.messages = sent;
    this.outcomes = this.outcomes.filter(
      ({ messageId, status }) => status === 'sent' && ids.has(messageId.toHexString()),
    );
    this.details = this.details.filter(({ messageId }) => messageId !== undefined && ids.has(messageId.toHexString()));
    this.events = this.events.filter((event) => event instanceof MessageSent && ids.has(event.messageId));
  }

  clear(): void {
    this.detailsId = new Types.ObjectId();
    this.messages = [];
    this.outcomes = [];
    this.details = [];
    this.events = [];
  }
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

/** Whose work a run is, 24 hex digits. */
export function environmentOf({ record }: Run): string {
  return record._environmentId.toHexString();
}

/** The caller that services want, for work that nobody is waiting for. */
export function tenantOf(event: TriggerEventRecord): TenantContext {
  return {
    organizationId: event._organizationId.toHexString(),
    environmentId: event._environmentId.toHexString(),
    userId: event._userId.toHexString(),
    apiKeyId: event._apiKeyId.toHexString(),
  };
}
