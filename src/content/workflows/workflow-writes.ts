import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import mongoose from 'mongoose';
import { EventBus, type KeyScope, type TenantContext } from '#libs/common';
import { ReferenceGuard, type TenantModel } from '#libs/persistence';
import { extractTriggerVariablesInTurns, type TemplateLanguage } from '#libs/templates';
import type { Step } from './steps/step.schema.js';
import { WorkflowCache } from './workflow-cache.js';
import { WorkflowHistory } from './workflow-history.js';
import { type LastChange, Workflow, type WorkflowAction } from './workflow.schema.js';
import { WorkflowInUse, WorkflowProtected, WorkflowTooLarge, WorkflowVersionChanged } from './workflows.errors.js';
import type { WorkflowCreated, WorkflowDeleted, WorkflowUpdated } from './workflows.events.js';

/** The store takes records of 16 MiB; leaves room for fields added to the steps. */
const MAX_SIZE_BYTES = 15_000_000;

export type WorkflowChange = { $set?: Record<string, unknown>; $unset?: Record<string, 1> };

/** Without scopes, Herald itself changes it. */
type Changing = TenantContext & { readonly scopes?: readonly KeyScope[] };

/** How a change was made, for the version that it saves. */
export interface Made {
  readonly action: WorkflowAction;
  readonly note?: string | null | undefined;
  readonly restoredVersion?: number;
}

export function lastChange({ apiKeyId }: TenantContext, { action, note, restoredVersion }: Made): LastChange {
  return {
    action,
    apiKeyId,
    ...(note && { note }),
    ...(restoredVersion !== undefined && { restoredVersion }),
  };
}

/** @param expected the versions of which the workflow must have one; absent: any */
export function assertVersion({ _id, __v }: Workflow, expected: readonly number[] | undefined): void {
  if (expected !== undefined && !expected.includes(__v)) throw new WorkflowVersionChanged(_id.toHexString(), __v);
}

/** Of workflows through which Herald tells people of itself. */
const OF_HERALD = /^herald-/;

/** Before a workflow gets this identifier, or is changed that has it. @throws {WorkflowProtected} */
export function assertMayUse({ scopes }: Changing, identifier: string): void {
  if (OF_HERALD.test(identifier) && scopes?.includes('admin') === false) throw new WorkflowProtected(identifier);
}

export async function withTriggerVariables(
  steps: Step[],
  language: TemplateLanguage | null | undefined,
): Promise<Pick<Workflow, 'steps' | 'triggerVariables'>> {
  return { steps, triggerVariables: await extractTriggerVariablesInTurns(steps, language) };
}

export function assertSize(fields: object): void {
  const bytes = mongoose.mongo.BSON.calculateObjectSize(fields);
  if (bytes > MAX_SIZE_BYTES) throw new WorkflowTooLarge(bytes, MAX_SIZE_BYTES);
}

/** The kind of a reference to a workflow. It is named by its trigger identifier. */
export const WORKFLOW_REFERENCE = 'workflow';

@Injectable()
export class WorkflowWrites {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly history: WorkflowHistory,
    private readonly cache: WorkflowCache,
    private readonly events: EventBus,
    private readonly guard: ReferenceGuard,
  ) {}

  /** @throws {WorkflowInUse} if something refers to its trigger identifier */
  async assertUnused(tenant: TenantContext, { identifier }: Workflow): Promise<void> {
    if (await this.guard.isUsed(WORKFLOW_REFERENCE, tenant, identifier)) throw new WorkflowInUse(identifier);
  }

  /**
   * @param before what is replaced, which becomes a version
   * @returns null if it is no longer the present state
   * @throws {WorkflowProtected}
   */
  async change(tenant: Changing, before: Workflow, change: WorkflowChange, made: Made): Promise<Workflow | null> {
    const renamed = change.$set?.['identifier'];
    assertMayUse(tenant, before.identifier);
    if (typeof renamed === 'string') assertMayUse(tenant, renamed);
    const { environmentId } = tenant;
    await this.history.keep(before);
    const row = await this.workflows
      .findOneAndUpdate(
        { _id: before._id, __v: before.__v, _environmentId: environmentId },
        { ...change, $set: { ...change.$set, lastChange: lastChange(tenant, made) }, $inc: { __v: 1 } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    this.cache.forget(environmentId, before._id.toHexString());
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
