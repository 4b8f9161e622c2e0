import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { type Connection, type mongo, Schema } from 'mongoose';
import { isDuplicateKey } from '#libs/persistence';
import { rawCollection } from '../../notifications/index.js';
import type { ResolvedWorkflow } from '../../workflows/index.js';
import { type RunWorkflow, snapshotIdOf, toRunWorkflow } from '../run/run-workflow.js';

interface SnapshotRecord {
  /** Workflow id and version. */
  _id: string;
  workflow: ResolvedWorkflow;
  createdAt: Date;
}

export const WORKFLOW_SNAPSHOT_MODEL = 'WorkflowSnapshot';
export const WorkflowSnapshotSchema = new Schema(
  {},
  { collection: 'workflowSnapshots', strict: false, versionKey: false, timestamps: false },
);

/**
 * Versions of workflows that were triggered, each stored once and never changed: events name the version they run, so
 * later changes of the workflow do not reach them (delivery-behaviour 2.3).
 */
@Injectable()
export class WorkflowSnapshots {
  private readonly known = new LRUCache<string, RunWorkflow>({ max: 500 });
  private readonly writing = new Map<string, Promise<void>>();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Makes sure that this version is stored. @returns it as runs use it */
  async keep(workflow: ResolvedWorkflow): Promise<RunWorkflow> {
    const id = snapshotIdOf(workflow);
    const known = this.known.get(id);
    if (known) return known;
    // Many triggers at once after a change: one of them writes.
    const writing = this.writing.get(id) ?? this.write(id, workflow).finally(() => this.writing.delete(id));
    this.writing.set(id, writing);
    await writing;
    return this.remember(workflow);
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

  private async write(_id: string, workflow: ResolvedWorkflow): Promise<void> {
    try {
      await this.collection.insertOne({ _id, workflow, createdAt: new Date() });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
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
