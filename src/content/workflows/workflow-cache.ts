import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReadCache } from '#libs/persistence';
import type { ResolvedWorkflow } from './resolved-workflow.js';
import type { Workflow } from './workflow.schema.js';

const MAX_ENTRIES = 2_000;
/** Maximum delay before changes by another process apply. */
const TTL_MS = 1_000;

interface Loading {
  readonly changesBefore: number;
  readonly result: Promise<ResolvedWorkflow | undefined>;
}

export const SUMMARY_FIELDS = [
  '_id',
  'name',
  'identifier',
  'tags',
  'critical',
  'severity',
] as const satisfies readonly (keyof Workflow)[];

export type WorkflowSummary = Readonly<Pick<Workflow, (typeof SUMMARY_FIELDS)[number]>>;

/** Resolved workflows for triggers, summaries for messages. */
@Injectable()
export class WorkflowCache {
  private readonly entries = new LRUCache<string, ResolvedWorkflow>({ max: MAX_ENTRIES, ttl: TTL_MS });
  /** Deleted workflows included. */
  readonly summaries = new ReadCache<WorkflowSummary | undefined>({ max: MAX_ENTRIES, ttlMs: TTL_MS });
  private readonly loading = new Map<string, Loading>();
  private changes = 0;

  /** Misses are not cached, so that a new workflow can be triggered at once. */
  async get(
    environmentId: string,
    identifier: string,
    load: () => Promise<ResolvedWorkflow | undefined>,
  ): Promise<ResolvedWorkflow | undefined> {
    const key = `${environmentId}:${identifier}`;
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    // Concurrent triggers share one read, unless the workflow has changed since it began.
    const running = this.loading.get(key);
    if (running?.changesBefore === this.changes) return running.result;
    const started = { changesBefore: this.changes, result: this.load(key, load) };
    this.loading.set(key, started);
    try {
      return await started.result;
    } finally {
      if (this.loading.get(key) === started) this.loading.delete(key);
    }
  }

  private async load(
    key: string,
    load: () => Promise<ResolvedWorkflow | undefined>,
  ): Promise<ResolvedWorkflow | undefined> {
    const changesBefore = this.changes;
    const loaded = await load();
    // A read that overlaps a change may be out of date.
    if (loaded !== undefined && changesBefore === this.changes) this.entries.set(key, loaded);
    return loaded;
  }

  /** Call after every change. By id, because the identifier may have changed. */
  forget(environmentId: string, workflowId: string): void {
    this.changes++;
    this.summaries.forget(`${environmentId}:${workflowId}`);
    for (const [key, { id }] of this.entries.entries()) {
      if (id === workflowId) this.entries.delete(key);
    }
  }
}
