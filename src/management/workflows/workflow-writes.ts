import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import mongoose from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { extractTriggerVariablesInTurns } from '#libs/templates';
import type { Step } from './steps/step.schema.js';
import { WorkflowCache } from './workflow-cache.js';
import { Workflow } from './workflow.schema.js';
import { WorkflowTooLarge } from './workflows.errors.js';
import type { WorkflowCreated, WorkflowDeleted, WorkflowUpdated } from './workflows.events.js';

/** The store takes records of 16 MiB; leaves room for fields added to the steps. */
const MAX_SIZE_BYTES = 15_000_000;
/** For finding a free identifier, and for concurrent changes of steps. */
export const MAX_ATTEMPTS = 10;

export type WorkflowChange = { $set?: Record<string, unknown>; $unset?: Record<string, 1> };

export async function withTriggerVariables(steps: Step[]): Promise<Pick<Workflow, 'steps' | 'triggerVariables'>> {
  return { steps, triggerVariables: await extractTriggerVariablesInTurns(steps) };
}

export function assertSize(fields: object): void {
  const bytes = mongoose.mongo.BSON.calculateObjectSize(fields);
  if (bytes > MAX_SIZE_BYTES) throw new WorkflowTooLarge(bytes, MAX_SIZE_BYTES);
}

@Injectable()
export class WorkflowWrites {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly cache: WorkflowCache,
    private readonly events: EventBus,
  ) {}

  /** @param which with `__v`: only that version @returns null if there is no such workflow */
  async change(
    { environmentId }: TenantContext,
    which: { _id: string; __v?: number },
    change: WorkflowChange,
  ): Promise<Workflow | null> {
    const row = await this.workflows
      .findOneAndUpdate(
        { ...which, _environmentId: environmentId },
        { ...change, $inc: { __v: 1 } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    this.cache.forget(environmentId, which._id);
    return row;
  }

  async undoCreate({ _id }: Workflow): Promise<void> {
    await this.workflows.collection.deleteOne({ _id });
  }

  /** Does nothing if another change followed. */
  async undoChange({ environmentId }: TenantContext, before: Workflow, { _id, __v }: Workflow): Promise<void> {
    await this.workflows.collection.replaceOne({ _id, __v }, { ...before, __v: __v + 1 });
    this.cache.forget(environmentId, _id.toHexString());
  }

  /** Call once a change can no longer be undone. */
  async announce(event: WorkflowCreated | WorkflowUpdated | WorkflowDeleted): Promise<void> {
    await this.events.publish(event);
  }
}
