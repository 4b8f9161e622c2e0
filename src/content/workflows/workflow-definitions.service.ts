import { isDeepStrictEqual } from 'node:util';
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
import { NotificationGroupNotFound, NotificationGroupsService } from '../notification-groups/index.js';
import { sentSteps } from './portable-steps.js';
import { StepsBuilder } from './steps-builder.js';
import { definedFields, definitionOf, type DefinedFields } from './workflow-definition.js';
import { OPTION_NAMES } from './options.js';
import type { WorkflowDefinitionDto } from './workflow-definition.dto.js';
import { type Names, WorkflowNames } from './workflow-names.js';
import { Workflow } from './workflow.schema.js';
import {
  assertMayUse,
  assertSize,
  lastChange,
  type Made,
  WorkflowWrites,
  withTriggerVariables,
} from './workflow-writes.js';
import { WorkflowChangedMeanwhile } from './workflows.errors.js';
import { WorkflowCreated, WorkflowUpdated } from './workflows.events.js';

/** For concurrent changes. */
const MAX_ATTEMPTS = 10;

/** How a definition comes to be stored. */
export interface Defining {
  /** Where it was promoted from, for the note of the version. */
  readonly promotedFrom?: string | undefined;
  /** Stored only in the place of this definition; null: of none. */
  readonly expected?: object | null;
}

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
    private readonly groups: NotificationGroupsService,
  ) {}

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<DefinedRecord<WorkflowDefinitionDto>>> {
    const { rows, hasMore } = await this.workflows.page(tenant, {}, { ...query, sort: OLDEST_FIRST });
    const names = await this.names.of(tenant, rows);
    return new Page(
      rows.map((row) => recordOf(row, names)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  async find(tenant: TenantContext, identifier: string): Promise<DefinedRecord<WorkflowDefinitionDto> | undefined> {
    const row = await this.workflows.one(tenant, { identifier });
    return row && recordOf(row, await this.names.of(tenant, [row]));
  }

  /**
   * One write, none if nothing changes.
   * @param isDryRun only reports what would happen and missing records
   * @throws {WorkflowChangedMeanwhile} also if another definition than the expected one is stored
   */
  async define(
    tenant: TenantContext,
    dto: WorkflowDefinitionDto,
    isDryRun: boolean,
    { promotedFrom, expected }: Defining = {},
  ): Promise<DefinitionChange<WorkflowDefinitionDto>> {
    const { identifier } = dto;
    const made = madeBy(promotedFrom);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const before = await this.workflows.one(tenant, { identifier });
      const draft = await this.draft(tenant, dto, before);
      const { missing } = draft.change;
      if (missing.length > 0 && !isDryRun) throw new ValidationFailed(missing.map(faultOf));
      if (!isChange(draft.change, isDryRun)) return { ...draft.change, ...(before && { version: before.__v }) };
      if (expected !== undefined && !isDeepStrictEqual(draft.change.before, expected)) break;
      const row = before ? await this.replace(tenant, before, draft, made) : await this.create(tenant, draft, made);
      if (row !== undefined) return { ...draft.change, version: row.__v };
    }
    throw new WorkflowChangedMeanwhile(identifier);
  }

  /** Makes a workflow that Herald brings, in the default group. One of this identifier that is there, or comes meanwhile, is the team's and stays. */
  async provide(tenant: TenantContext, dto: Omit<WorkflowDefinitionDto, 'notificationGroup'>): Promise<void> {
    const { name: notificationGroup } = await this.groups.getDefault(tenant);
    await this.define(tenant, { ...dto, notificationGroup }, false, { expected: null }).catch((error: unknown) => {
      if (!(error instanceof WorkflowChangedMeanwhile)) throw error;
    });
  }

  private async draft(tenant: TenantContext, dto: WorkflowDefinitionDto, before: Workflow | undefined): Promise<Draft> {
    const { groupId, ids, names, missing } = await this.names.find(tenant, dto);
    const steps = await this.builder.buildComplete(tenant, sentSteps(dto.steps, ids), {
      existing: before?.steps ?? [],
      language: dto.templateLanguage,
    });
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

  /** @returns undefined if another request created the workflow at the same time */
  private async create(tenant: TenantContext, { fields, groupId }: Draft, made: Made): Promise<Workflow | undefined> {
    const creation = { _creatorId: tenant.userId, lastChange: lastChange(tenant, made) };
    const row = { ...(await this.stored(fields, groupId)), ...ownedBy(tenant), ...creation };
    assertMayUse(tenant, fields.identifier);
    assertSize(row);
    const created = await this.workflows.create(row).then(
      (document) => document.toObject(),
      onDuplicateKey(() => undefined),
    );
    if (created === undefined) return undefined;
    await this.confirm(tenant, fields, groupId, () => this.writes.undoCreate(created));
    await this.writes.announce(new WorkflowCreated(tenant, created._id.toHexString()));
    return created;
  }

  /** @returns undefined if the workflow was changed after it was read */
  private async replace(
    tenant: TenantContext,
    before: Workflow,
    { fields, groupId }: Draft,
    made: Made,
  ): Promise<Workflow | undefined> {
    const $set = await this.stored(fields, groupId);
    assertSize($set);
    const absent = OPTION_NAMES.filter((field) => fields[field] === undefined);
    const $unset = Object.fromEntries(absent.map((field): [string, 1] => [field, 1]));
    const id = before._id.toHexString();
    const change = { $set, ...(absent.length > 0 && { $unset }) };
    const row = await this.writes.change(tenant, before, change, made);
    if (row === null) return undefined;
    await this.confirm(tenant, fields, groupId, () => this.writes.undoChange(tenant, before, row));
    await this.writes.announce(new WorkflowUpdated(tenant, id));
    return row;
  }

  private async stored(fields: DefinedFields, groupId: string): Promise<Record<string, unknown>> {
    const variables = await withTriggerVariables(fields.steps, fields.templateLanguage);
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

function recordOf(row: Workflow, names: Names): DefinedRecord<WorkflowDefinitionDto> {
  const group = names.group(row._notificationGroupId.toHexString());
  return { id: row._id.toHexString(), version: row.__v, definition: definitionOf(row, group, names) };
}

function madeBy(promotedFrom: string | undefined): Made {
  if (promotedFrom === undefined) return { action: 'defined' };
  return { action: 'promoted', note: `Promoted from ${promotedFrom}` };
}

const NO_GROUP = { kind: 'notification-group', path: 'notificationGroup' } as const;

function faultOf({ kind, path }: Pick<MissingReference, 'kind' | 'path'>): string {
  const property = kind === 'notification-group' ? 'name' : 'identifier';
  return `${path} must be the ${property} of a ${kind.replace('-', ' ')} of this environment`;
}
