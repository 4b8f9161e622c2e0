import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { onDuplicateKey, type TenantModel, toObjectId, untilWritten } from '#libs/persistence';
import { StepsBuilder } from '../steps-builder.js';
import { OPTION_NAMES, optionsOf } from '../options.js';
import { WorkflowPresenter } from '../workflow-presenter.js';
import type { WorkflowResponse } from '../workflow.response.js';
import { Workflow } from '../workflow.schema.js';
import { assertVersion, type WorkflowChange, WorkflowWrites } from '../workflow-writes.js';
import {
  WorkflowChangedMeanwhile,
  WorkflowIdentifierTaken,
  WorkflowNotFound,
  WorkflowVersionNotFound,
} from '../workflows.errors.js';
import { WorkflowUpdated } from '../workflows.events.js';
import { WorkflowHistory } from '../workflow-history.js';

export interface Restoring {
  readonly version: number;
  readonly note: string | null | undefined;
  /** The versions of which the workflow must have one. */
  readonly ifMatch: readonly number[] | undefined;
}

@Injectable()
export class WorkflowRestoresService {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly history: WorkflowHistory,
    private readonly builder: StepsBuilder,
    private readonly writes: WorkflowWrites,
    private readonly presenter: WorkflowPresenter,
  ) {}

  /**
   * Makes a new version with the content of a former one. Whether the workflow is active stays.
   */
  async restore(tenant: TenantContext, id: string, restoring: Restoring): Promise<WorkflowResponse> {
    const row = await untilWritten(
      () => this.attempt(tenant, id, restoring),
      () => new WorkflowChangedMeanwhile(id),
    );
    await this.writes.announce(new WorkflowUpdated(tenant, id));
    return this.presenter.present(tenant, row);
  }

  /** @returns undefined if the workflow was changed after it was read */
  private async attempt(
    tenant: TenantContext,
    id: string,
    { version, note, ifMatch }: Restoring,
  ): Promise<Workflow | undefined> {
    const before = await this.workflows.one(tenant, { _id: toObjectId(id) });
    if (before === undefined) throw new WorkflowNotFound(id);
    assertVersion(before, ifMatch);
    const wanted = await this.history.find(tenant, before, version);
    if (wanted === undefined) throw new WorkflowVersionNotFound(id, version);
    await this.builder.assertReferences(tenant, wanted.steps);
    const made = { action: 'restored', restoredVersion: version, note } as const;
    const row = await this.writes.change(tenant, before, contentOf(wanted), made).catch(
      onDuplicateKey(() => {
        throw new WorkflowIdentifierTaken(wanted.identifier);
      }),
    );
    if (row === null) return undefined;
    const groupId = wanted._notificationGroupId.toHexString();
    await this.builder.confirm(tenant, wanted.steps, groupId, () => this.writes.undoChange(tenant, before, row));
    return row;
  }
}

function contentOf(wanted: Workflow): WorkflowChange {
  const { name, identifier, critical, tags, preferenceSettings, steps, triggerVariables, _notificationGroupId } =
    wanted;
  const required = { name, identifier, critical, tags, preferenceSettings, steps, triggerVariables };
  const options = optionsOf(wanted);
  const absent = OPTION_NAMES.filter((name) => options[name] === undefined).map((name): [string, 1] => [name, 1]);
  return {
    $set: { ...required, _notificationGroupId, ...options },
    ...(absent.length > 0 && { $unset: Object.fromEntries(absent) }),
  };
}
