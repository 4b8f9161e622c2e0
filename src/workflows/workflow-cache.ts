import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ResolvedWorkflow } from './resolved-workflow.js';

const MAX_ENTRIES = 2_000;
/** How long a change by another process can stay unnoticed. */
const TTL_MS = 1_000;

/** A read in flight, and the number of changes when it began. */
interface Loading {
  readonly changesBefore: number;
  readonly result: Promise<ResolvedWorkflow | undefined>;
}

/** Keeps resolved workflows for triggers. Changes of this process are seen at once, of others after {@link TTL_MS}. */
@Injectable()
export class WorkflowCache {
  private readonly entries = new LRUCache<string, ResolvedWorkflow>({ max: MAX_ENTRIES, ttl: TTL_MS });
  private readonly loading = new Map<string, Loading>();
  private changes = 0;

  /** What is not found is not kept, so that a new workflow can be triggered at once. */
  async get(
    environmentId: string,
    identifier: string,
    load: () => Promise<ResolvedWorkflow | undefined>,
  ): Promise<ResolvedWorkflow | undefined> {
    const key = `${environmentId}:${identifier}`;
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    // Concurrent triggers share one read, unless a workflow has changed since it began.
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
    // What was read while something changed may be out of date already.
    if (loaded !== undefined && changesBefore === this.changes) this.entries.set(key, loaded);
    return loaded;
  }

  /** To be called after every change of a workflow, which may have had another identifier before. */
  forget(workflowId: string): void {
    this.changes++;
    for (const [key, { id }] of this.entries.entries()) {
      if (id === workflowId) this.entries.delete(key);
    }
  }
}
