import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { type Connection, type mongo, Schema, Types } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { isDuplicateKey, rawCollection, shared } from '#libs/persistence';
import { STEP_TYPES } from '#libs/plugins';
import type { ContentType, EmailBlock, PicturePlace } from '#libs/templates';
import { keysOf } from '#libs/work';
import type { ResolvedStep, ResolvedVariant, ResolvedWorkflow } from '../../../content/workflows/index.js';
import type { Lane, NotificationRecord, StepType } from './notification.js';
import { EVENT_SHARD_KEY, eventOf, type RunOfEvent, TriggerEventStore } from './trigger-event.js';

/** The content of a step. Ids are 24 hex digits. */
export interface RunTemplate {
  /** What only one type has. */
  readonly [member: string]: unknown;
  readonly type?: string;
  readonly content?: string | EmailBlock[];
  readonly contentType?: ContentType;
  readonly subject?: string;
  readonly title?: string;
  readonly preheader?: string;
  readonly senderName?: string;
  readonly images?: PicturePlace;
  readonly cta?: Record<string, unknown>;
  readonly actor?: Record<string, unknown>;
  readonly _feedId?: string;
  readonly _layoutId?: string;
}

export type RunVariant = Omit<ResolvedVariant, 'template'> & { readonly template: RunTemplate };

/** An active step of a workflow, with what runs look up often. */
export interface RunStep extends Omit<ResolvedStep, 'template' | 'variants'> {
  readonly template: RunTemplate;
  readonly variants: readonly RunVariant[];
  readonly _id: Types.ObjectId;
  readonly type: StepType;
  readonly lane: Lane;
}

export interface RunWorkflow extends Omit<ResolvedWorkflow, 'steps'> {
  /** Its store steps ask the store, each run for itself. */
  readonly asksStore: boolean;
  /** A step waits for what becomes of its messages. */
  readonly awaitsMessages: boolean;
  readonly snapshotId: string;
  readonly steps: readonly RunStep[];
}

function snapshotIdOf({ id, version }: Pick<ResolvedWorkflow, 'id' | 'version'>): string {
  return `${id}:${version}`;
}

export function toRunWorkflow(workflow: ResolvedWorkflow): RunWorkflow {
  const steps = workflow.steps.flatMap((step) => {
    const type = step.template['type'];
    if (!step.active || typeof type !== 'string') return [];
    // Types that are not known are kept: the trail of the run names them.
    const known = { type, lane: laneOf(type, step) };
    return [{ ...(step as unknown as RunStep), _id: new Types.ObjectId(step.id), ...known }];
  });
  const asksStore = steps.some(({ type }) => STEP_TYPES.get(type)?.asksStore === true);
  const awaitsMessages = steps.some(({ type, metadata }) => STEP_TYPES.get(type)?.awaitsMessages?.(metadata) === true);
  return { ...workflow, snapshotId: snapshotIdOf(workflow), steps, asksStore, awaitsMessages };
}

/** Steps that use only the store share a lane; steps that call others have a lane of their kind. */
function laneOf(type: StepType, { filters, variants }: Pick<ResolvedStep, 'filters' | 'variants'>): Lane {
  const declaration = STEP_TYPES.get(type);
  if (declaration?.lane !== undefined) return declaration.lane;
  // Whatever a plugin does may take long.
  if (STEP_TYPES.pluginOf(type) !== undefined) return 'plugin';
  const groups = [...filters, ...variants.flatMap((variant) => variant.filters)];
  return groups.some(({ children }) => children.some(({ on }) => on === 'webhook')) ? 'webhook' : 'store';
}

interface SnapshotRecord {
  /** Workflow id and version. */
  _id: string;
  workflow: ResolvedWorkflow;
  createdAt: Date;
  /** Later than that of every event that names it. Absent where nothing expires, and in records of before it was set. */
  expireAt?: Date;
}

const DAY_MS = 86_400_000;
/** Versions are kept this much longer than events: events may wait long for a worker. */
const SLACK_DAYS = 60;
const ROUND_DAYS = 30;

export const WORKFLOW_SNAPSHOT_MODEL = 'WorkflowSnapshot';
export const WorkflowSnapshotSchema = shared(
  new Schema({}, { collection: 'workflowSnapshots', strict: false, versionKey: false, timestamps: false }),
);
WorkflowSnapshotSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/**
 * Versions of workflows that were triggered, each stored once and never changed: events name the version they run, so
 * later changes of the workflow do not reach them.
 */
@Injectable()
export class WorkflowSnapshots {
  private readonly known = new LRUCache<string, RunWorkflow>({ max: 500 });
  private readonly writing = new Map<string, Promise<void>>();
  /** Until when the retention of a version needs no further write of this process. */
  private readonly keptUntil = new LRUCache<string, Date>({ max: 500 });
  private readonly retentionDays: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** Makes sure that this version is stored, and for as long as an event that names it now. @returns it as runs use it */
  async keep(workflow: ResolvedWorkflow): Promise<RunWorkflow> {
    const id = snapshotIdOf(workflow);
    const known = this.known.get(id);
    const now = this.clock.now();
    if (known && (this.keptUntil.get(id) ?? now) > now) return known;
    // Of many triggers right after a change, one writes.
    const writing = this.writing.get(id) ?? this.write(id, workflow, now).finally(() => this.writing.delete(id));
    this.writing.set(id, writing);
    await writing;
    return known ?? this.remember(workflow);
  }

  async keepFrom(ids: readonly string[], from: Date): Promise<void> {
    if (ids.length === 0 || this.retentionDays === 0) return;
    await this.collection.updateMany({ _id: { $in: [...ids] } }, this.expiry(from));
  }

  async find(ids: readonly string[]): Promise<Map<string, RunWorkflow>> {
    const found = new Map<string, RunWorkflow>();
    for (const id of ids) {
      const known = this.known.get(id);
      if (known) found.set(id, known);
    }
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    for (const { _id, workflow } of await this.collection.find({ _id: { $in: missing } }).toArray()) {
      found.set(_id, this.remember(workflow));
    }
    return found;
  }

  private async write(_id: string, workflow: ResolvedWorkflow, now: Date): Promise<void> {
    const update = { $setOnInsert: { workflow, createdAt: now }, ...this.expiry(now) };
    try {
      await this.collection.updateOne({ _id }, update, { upsert: true });
    } catch (error) {
      // Another process has stored it at the same moment, for as long.
      if (!isDuplicateKey(error)) throw error;
    }
    this.keptUntil.set(_id, new Date(now.getTime() + ROUND_DAYS * DAY_MS));
  }

  /** Only extends the expiry. */
  private expiry(from: Date): { $max?: { expireAt: Date } } {
    if (this.retentionDays === 0) return {};
    const days = this.retentionDays + SLACK_DAYS + ROUND_DAYS;
    return { $max: { expireAt: new Date(from.getTime() + days * DAY_MS) } };
  }

  private remember(workflow: ResolvedWorkflow): RunWorkflow {
    const run = toRunWorkflow(workflow);
    this.known.set(run.snapshotId, run);
    return run;
  }

  private get collection(): mongo.Collection<SnapshotRecord> {
    return rawCollection<SnapshotRecord>(this.connection, 'workflowSnapshots');
  }
}

/** Events that one query names. */
const PORTION = 1_000;

/** The versions of workflows that stored notifications run. */
@Injectable()
export class RunWorkflows {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly snapshots: WorkflowSnapshots,
  ) {}

  /** By event id. Without those of events that are no longer stored. */
  async of(records: readonly Pick<NotificationRecord, '_eventId'>[]): Promise<Map<string, RunWorkflow>> {
    const ids = new Map(records.map(({ _eventId }) => [_eventId.toHexString(), _eventId]));
    const events = await this.events.findByIds([...ids.values()]);
    const workflows = await this.snapshots.find(events.map(({ snapshotId }) => snapshotId));
    return new Map(
      events.flatMap(({ _id, snapshotId }) => {
        const workflow = workflows.get(snapshotId);
        return workflow === undefined ? [] : [[_id.toHexString(), workflow]];
      }),
    );
  }

  /** The transactions of those runs that run this version. Without those of events that are no longer stored. */
  async transactionsOf(
    runs: readonly RunOfEvent[],
    workflow: Pick<ResolvedWorkflow, 'id' | 'version'>,
  ): Promise<readonly string[]> {
    const snapshotId = snapshotIdOf(workflow);
    const found: string[] = [];
    for (let from = 0; from < runs.length; from += PORTION) {
      const portion = runs.slice(from, from + PORTION).map(eventOf);
      const rows = this.events.collection
        .find({ ...keysOf(portion, EVENT_SHARD_KEY), snapshotId })
        .project<Pick<RunOfEvent, 'transactionId'>>({ transactionId: 1 });
      for await (const { transactionId } of rows) found.push(transactionId);
    }
    return found;
  }
}
