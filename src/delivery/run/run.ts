import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import type { NewDetail } from '../../execution-details/index.js';
import type { MessageOutcome, NewMessage } from '../../messages/index.js';
import type { Branding } from '../../organizations/index.js';
import type { ChannelPreference } from '../../preferences/index.js';
import type { ResolvedSubscriber } from '../../subscribers/index.js';
import type { ChannelSwitches } from '../../workflows/index.js';
import type { NotificationRecord } from '../records/notification.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import type { RunStep, RunWorkflow } from '../records/workflow-version.js';
import { MessageSent } from './message.events.js';
import type { StepEffects } from './step-report.js';

/** The tenant that an event names. */
export interface RunTenant {
  readonly _id: string;
  readonly identifier: string;
  readonly name: string;
  readonly data?: Record<string, unknown>;
}

/** What the steps of a run may use, read when it was claimed. */
export interface RunFacts {
  readonly subscriber: ResolvedSubscriber;
  /** Of the organization. */
  readonly branding: Branding;
  readonly actor?: ResolvedSubscriber;
  readonly tenant?: RunTenant;
  /** The event names a tenant that no longer exists. */
  readonly isTenantMissing?: boolean;
  /** The tenant's own switches for this workflow. */
  readonly override?: { readonly id: string; readonly channels: Partial<ChannelSwitches> };
  /** The subscriber's preferences; absent where there are none. */
  globalPreference?: ChannelPreference;
  workflowPreference?: ChannelPreference;
}

/** A notification that this worker holds. */
export interface Run {
  /** Changed in memory by transitions, and written by the engine. */
  readonly record: NotificationRecord;
  /** False until its first write: it exists only in this process, and would be expanded again after a crash. */
  isStored: boolean;
  /** A worker may have begun its current step before. */
  readonly wasClaimed: boolean;
  /** The lease under which it was read; its writes are guarded by it. */
  lease: string;
  readonly event: TriggerEventRecord;
  readonly workflow: RunWorkflow;
  readonly facts: RunFacts;
  /** Set while it is about to wait together with other runs. */
  entry?: { readonly slot: string; readonly until: Date };
  /** Payloads that its digests collected, its own among them, oldest first. */
  digestEvents?: readonly Record<string, unknown>[];
  readonly effects: Effects;
}

/** What a run has to write in addition to its own state. */
export class Effects implements StepEffects {
  /** Names the details in the store, so that details which are written again after a fault are kept once. */
  detailsId = new Types.ObjectId();
  messages: NewMessage[] = [];
  updates: MessageOutcome[] = [];
  details: NewDetail[] = [];
  events: object[] = [];

  add({ messages = [], updates = [], details = [], events = [] }: Partial<StepEffects>): void {
    this.messages.push(...messages);
    this.updates.push(...updates);
    this.details.push(...details);
    this.events.push(...events);
  }

  /**
   * Keeps only what cannot be undone: messages that a provider accepted. Everything else is the work of the worker that
   * holds the run now, which may come to another result.
   */
  keepFacts(): void {
    const sent = this.messages.filter(({ channel, status }) => channel !== 'in_app' && status === 'sent');
    if (sent.length === 0) {
      this.clear();
      return;
    }
    const ids = new Set(sent.map(({ _id }) => _id.toHexString()));
    this.messages = sent;
    this.updates = this.updates.filter(
      ({ messageId, status }) => status === 'sent' && ids.has(messageId.toHexString()),
    );
    this.details = this.details.filter(({ messageId }) => messageId !== undefined && ids.has(messageId.toHexString()));
    this.events = this.events.filter((event) => event instanceof MessageSent && ids.has(event.messageId));
  }

  clear(): void {
    this.detailsId = new Types.ObjectId();
    this.messages = [];
    this.updates = [];
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

/** The environment of a run, 24 hex digits. */
export function environmentOf({ record }: Run): string {
  return record._environmentId.toHexString();
}

/** The caller on whose behalf the engine works. */
export function tenantOf(event: TriggerEventRecord): TenantContext {
  return {
    organizationId: event._organizationId.toHexString(),
    environmentId: event._environmentId.toHexString(),
    userId: event._userId.toHexString(),
    apiKeyId: event._apiKeyId.toHexString(),
  };
}
