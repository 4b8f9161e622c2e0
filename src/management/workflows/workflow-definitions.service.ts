import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  isChange,
  type MissingReference,
  type TenantContext,
} from '#libs/common';
import { Page, type PageQuery, ValidationFailed } from '#libs/http-kit';
import { OLDEST_FIRST, onDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import { NotificationGroupNotFound } from '../notification-groups/index.js';
import { sentSteps } from './portable-steps.js';
import { StepsBuilder } from './steps-builder.js';
import { definedFields, definitionOf, OPTIONAL_FIELDS, type DefinedFields } from './workflow-definition.js';
import type { WorkflowDefinitionDto } from './workflow-definition.dto.js';
import { WorkflowNames } from './workflow-names.js';
import { Workflow } from './workflow.schema.js';
import { assertSize, lastChange, WorkflowWrites, withTriggerVariables } from './workflow-writes.js';
import { WorkflowChangedMeanwhile } from './workflows.errors.js';
import { WorkflowCreated, WorkflowUpdated } from './workflows.events.js';

/** For concurrent changes. */
const MAX_ATTEMPTS = 10;

interface Draft {
  readonly fields: DefinedFields;
  readonly groupId: string;
  readonly change: DefinitionChange<WorkflowDefinitionDto>;
}

@Injectable()
export class WorkflowDefinitionsService {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly names: WorkflowNames,
    private readonly builder: StepsBuilder,
    private readonly writes: WorkflowWrites,
  ) {}

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<DefinedRecord<WorkflowDefinitionDto>>> {
    const { rows, hasMore } = await this.workflows.page(tenant, {}, { ...query, sort: OLDEST_FIRST });
    const names = await this.names.of(tenant, rows);
    const records = rows.map((row) => {
      const group = names.group(row._notificationGroupId.toHexString());
      return { id: row._id.toHexString(), definition: definitionOf(row, group, names) };
    });
    return new Page(records, query.page, query.limit, hasMore);
  }

  /**
   * One write, none if nothing changes.
   * @param isDryRun only reports what would happen and missing records
   */
  async define(
    tenant: TenantContext,
    dto: WorkflowDefinitionDto,
    isDryRun: boolean,
  ): Promise<DefinitionChange<WorkflowDefinitionDto>> {
    const { identifier } = dto;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const before = await this.workflows.one(tenant, { identifier });
      const draft = await this.draft(tenant, dto, before);
      const { missing } = draft.change;
      if (missing.length > 0 && !isDryRun) throw new ValidationFailed(missing.map(faultOf));
      if (!isChange(draft.change, isDryRun)) return draft.change;
      const isWritten = before ? await this.replace(tenant, before, draft) : await this.create(tenant, draft);
      if (isWritten) return draft.change;
    }
    throw new WorkflowChangedMeanwhile(identifier);
  }

  private async draft(tenant: TenantContext, dto: WorkflowDefinitionDto, before: Workflow | undefined): Promise<Draft> {
    const { groupId, ids, names, missing } = await this.names.find(tenant, dto);
    const steps = await this.builder.buildComplete(tenant, sentSteps(dto.steps, ids), before?.steps ?? []);
    const fields = { ...definedFields(dto), steps };
    const known = before && (await this.names.of(tenant, [before]));
    const group = before && known?.group(before._notificationGroupId.toHexString());
    return {
      fields,
      groupId,
      change: definitionChange(
        before && known ? definitionOf(before, group ?? '', known) : null,
        definitionOf(fields, dto.notificationGroup, names),
        missing,
      ),
    };
  }

  /** @returns false if another request created the workflow at the same time */
  private async create(tenant: TenantContext, { fields, groupId }: Draft): Promise<boolean> {
    const made = { _creatorId: tenant.userId, lastChange: lastChange(tenant, { action: 'defined' }) };
    const row = { ...(await this.stored(fields, groupId)), ...ownedBy(tenant), ...made };
    assertSize(row);
    const created = await this.workflows.create(row).then(
      (document) => document.toObject(),
      onDuplicateKey(() => undefined),
    );
    if (created === undefined) return false;
    await this.confirm(tenant, fields, groupId, () => this.writes.undoCreate(created));
    await this.writes.announce(new WorkflowCreated(tenant, created._id.toHexString()));
    return true;
  }

  /** @returns false if the workflow was changed after it was read */
  private async replace(tenant: TenantContext, before: Workflow, { fields, groupId }: Draft): Promise<boolean> {
    const $set = await this.stored(fields, groupId);
    assertSize($set);
    const absent = OPTIONAL_FIELDS.filter((field) => fields[field] === undefined);
    const $unset = Object.fromEntries(absent.map((field): [string, 1] => [field, 1]));
    const id = before._id.toHexString();
    const change = { $set, ...(absent.length > 0 && { $unset }) };
    const row = await this.writes.change(tenant, before, change, { action: 'defined' });
    if (row === null) return false;
    await this.confirm(tenant, fields, groupId, () => this.writes.undoChange(tenant, before, row));
    await this.writes.announce(new WorkflowUpdated(tenant, id));
    return true;
  }

  private async stored(fields: DefinedFields, groupId: string): Promise<Record<string, unknown>> {
    const variables = await withTriggerVariables(fields.steps);
    return { ...fields, ...variables, draft: !fields.active, _notificationGroupId: groupId };
  }

  private async confirm(
    tenant: TenantContext,
    { steps }: DefinedFields,
    groupId: string,
    undo: () => Promise<void>,
  ): Promise<void> {
    await this.builder.confirm(tenant, steps, groupId, undo).catch((error: unknown) => {
      throw error instanceof NotificationGroupNotFound ? new ValidationFailed([faultOf(NO_GROUP)]) : error;
    });
  }
}

const NO_GROUP = { kind: 'notification-group', path: 'notificationGroup' } as const;

function faultOf({ kind, path }: Pick<MissingReference, 'kind' | 'path'>): string {
  const property = kind === 'notification-group' ? 'name' : 'identifier';
  return `${path} must be the ${property} of a ${kind.replace('-', ' ')} of this environment`;
}
