import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { isDuplicateKey, type TenantModel } from '#libs/persistence';
import type { Workflow } from './workflow.schema.js';
import { WorkflowVersion } from './workflow-version.schema.js';

/** What a list of versions needs, without steps. */
export type VersionSummary = Pick<Workflow, '_id' | 'name' | 'lastChange' | 'updatedAt' | '__v'>;

/**
 * The former states of workflows. A state is stored before the write that replaces it, which is conditional on it: so no
 * state is lost, and storing it twice changes nothing. The current state is in the workflow itself.
 */
@Injectable()
export class WorkflowHistory {
  private readonly kept: number;

  constructor(
    @InjectModel(WorkflowVersion.name) private readonly versions: TenantModel<WorkflowVersion>,
    config: AppConfig,
  ) {
    this.kept = config.get('WORKFLOW_VERSIONS');
  }

  async keep(state: Workflow): Promise<void> {
    if (this.kept === 0) return;
    const { _environmentId, _organizationId, _id: _workflowId, __v: version } = state;
    const now = new Date();
    const record = { _id: new Types.ObjectId(), _environmentId, _organizationId, _workflowId, version, state };
    try {
      await this.versions.collection.insertOne({ ...record, deleted: false, createdAt: now, updatedAt: now, __v: 0 });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // Every change adds one.
    if (version >= this.kept)
      await this.versions.deleteMany({ _environmentId, _workflowId, version: { $lte: version - this.kept } });
  }

  /** Newest first; without the current state. One row more than `limit`, if there is one. */
  async list(tenant: TenantContext, current: Workflow, skip: number, limit: number): Promise<VersionSummary[]> {
    const rows = await this.versions.list(tenant, formerOf(current), {
      sort: { version: -1 },
      skip,
      limit,
      without: ['state.steps', 'state.triggerVariables', 'state.data'],
    });
    return rows.map(({ state }) => state);
  }

  async find(tenant: TenantContext, current: Workflow, version: number): Promise<Workflow | undefined> {
    if (version === current.__v) return current;
    const row = await this.versions.one(tenant, { _workflowId: current._id, version });
    return version < current.__v ? row?.state : undefined;
  }

  /** The state that `version` has replaced, if it is stored. Numbers may be missing: changes that were undone have one. */
  async before(tenant: TenantContext, current: Workflow, version: number): Promise<Workflow | undefined> {
    const [row] = await this.versions.list(
      tenant,
      { _workflowId: current._id, version: { $lt: version } },
      { sort: { version: -1 }, limit: 1 },
    );
    return row?.state;
  }
}

/** A process that died between the two writes leaves a copy of the current state. */
function formerOf({ _id, __v }: Workflow): { _workflowId: Types.ObjectId; version: { $lt: number } } {
  return { _workflowId: _id, version: { $lt: __v } };
}
