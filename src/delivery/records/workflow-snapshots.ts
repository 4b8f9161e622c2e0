import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { type Connection, type mongo, Schema } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { isDuplicateKey, rawCollection } from '#libs/persistence';
import type { ResolvedWorkflow } from '../../workflows/index.js';
import { type RunWorkflow, snapshotIdOf, toRunWorkflow } from './run-workflow.js';

interface SnapshotRecord {
  /** Workflow id and version. */
  _id: string;
  workflow: ResolvedWorkflow;
  createdAt: Date;
  /** Later than that of every event that names it. Absent where nothing expires, and in records of before it was set. */
  expireAt?: Date;
}

const DAY_MS = 86_400_000;
/** How much longer than events a version is kept after a trigger at least: events may wait long for a worker. */
const SLACK_DAYS = 60;
/** For so long no trigger has to write again that its version is kept. */
const ROUND_DAYS = 30;

export const WORKFLOW_SNAPSHOT_MODEL = 'WorkflowSnapshot';
export const WorkflowSnapshotSchema = new Schema(
  {},
  { collection: 'workflowSnapshots', strict: false, versionKey: false, timestamps: false },
);
// retention
WorkflowSnapshotSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/**
 * Versions of workflows that were triggered, each stored once and never changed: events name the version they run, so
 * later changes of the workflow do not reach them.
 */
@Injectable()
export class WorkflowSnapshots {
  private readonly known = new LRUCache<string, RunWorkflow>({ max: 500 });
  private readonly writing = new Map<string, Promise<void>>();
  /** Until when this process need not write again that a version is kept. */
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
    // Many triggers at once after a change: one of them writes.
    const writing = this.writing.get(id) ?? this.write(id, workflow, now).finally(() => this.writing.delete(id));
    this.writing.set(id, writing);
    await writing;
    return known ?? this.remember(workflow);
  }

  /** Lets retention of versions begin at a later time: something of them still waits until then. */
  async keepFrom(ids: readonly string[], from: Date): Promise<void> {
    if (ids.length === 0 || this.retentionDays === 0) return;
    await this.collection.updateMany({ _id: { $in: [...ids] } }, this.expiry(from));
  }

  /** The versions with these ids; one that is not stored is absent. */
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
      // Another process has made it at the same moment, and keeps it as long.
      if (!isDuplicateKey(error)) throw error;
    }
    this.keptUntil.set(_id, new Date(now.getTime() + ROUND_DAYS * DAY_MS));
  }

  /** Never earlier than somebody else has said. */
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
