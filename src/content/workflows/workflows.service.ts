import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { NothingToUpdate, Page } from '#libs/http-kit';
import {
  isDuplicateKey,
  isObjectId,
  NEWEST_FIRST,
  OLDEST_FIRST,
  onDuplicateKey,
  ownedBy,
  softDeleted,
  type TenantModel,
  toObjectId,
  untilWritten,
  withoutNullish,
} from '#libs/persistence';
import { isGiven } from '#libs/validation';
import { NotificationGroupsService } from '../notification-groups/index.js';
import { sentOptions } from './options.js';
import type { CreateWorkflowDto, ListWorkflowsDto, UpdateNotificationTemplateDto } from './workflow.dto.js';
import type { WorkflowResponse, WorkflowSummaryResponse } from './workflow.response.js';
import { StepsBuilder } from './steps-builder.js';
import type { Step } from './steps/step.schema.js';
import { languageAfter } from './workflow-language.js';
import { triggerIdentifier } from './trigger-identifier.js';
import { type ResolvedWorkflow, resolveWorkflow } from './resolved-workflow.js';
import { SUMMARY_FIELDS, WorkflowCache, type WorkflowSummary } from './workflow-cache.js';
import { changedRow, changesOf, completeSwitches } from './workflow-changes.js';
import { WorkflowPresenter } from './workflow-presenter.js';
import { Workflow } from './workflow.schema.js';
import {
  assertMayUse,
  assertSize,
  assertVersion,
  lastChange,
  type Made,
  type WorkflowChange,
  WorkflowWrites,
  withTriggerVariables,
} from './workflow-writes.js';
import { WorkflowChangedMeanwhile, WorkflowIdentifierTaken, WorkflowNotFound } from './workflows.errors.js';
import { WorkflowCreated, WorkflowDeleted, WorkflowUpdated } from './workflows.events.js';

@Injectable()
export class WorkflowsService {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly groups: NotificationGroupsService,
    private readonly builder: StepsBuilder,
    private readonly presenter: WorkflowPresenter,
    private readonly cache: WorkflowCache,
    private readonly writes: WorkflowWrites,
  ) {}

  async create(tenant: TenantContext, dto: CreateWorkflowDto): Promise<WorkflowResponse> {
    const { name } = dto;
    const blueprintId = dto.blueprintId || undefined; // some clients send an empty text for none
    const steps = await this.builder.build(tenant, dto.steps, {
      existing: [],
      dropFeeds: isGiven(blueprintId),
      language: dto.templateLanguage,
    });
    const active = dto.active ?? false;
    const row = await this.insert(tenant, name, {
      ...ownedBy(tenant),
      _creatorId: tenant.userId,
      _notificationGroupId: await this.groupIdFor(tenant, dto),
      name,
      ...withoutNullish({ ...sentOptions(dto), blueprintId }),
      active,
      draft: dto.draft ?? !active,
      critical: dto.critical ?? false,
      tags: dto.tags ?? [],
      preferenceSettings: completeSwitches(dto.preferenceSettings),
      ...(await withTriggerVariables(steps, dto.templateLanguage)),
      lastChange: lastChange(tenant, { action: 'created', note: dto.note }),
    });
    await this.builder.confirm(tenant, steps, row._notificationGroupId.toHexString(), () =>
      this.writes.undoCreate(row),
    );
    await this.writes.announce(new WorkflowCreated(tenant, row._id.toHexString()));
    return this.presenter.present(tenant, row);
  }

  /** Newest first; `query` searches name and trigger identifier. */
  async list(tenant: TenantContext, query: ListWorkflowsDto): Promise<Page<WorkflowSummaryResponse>> {
    const { page, limit } = query;
    const where = matching(query.query);
    const [{ rows, hasMore }, totalCount] = await Promise.all([
      this.workflows.page(tenant, where, { page, limit, sort: NEWEST_FIRST, without: CONTENT }),
      this.workflows.count(tenant, where),
    ]);
    return new Page(await this.presenter.presentAll(tenant, rows), page, limit, hasMore, totalCount);
  }

  /** Searches name and trigger identifier, newest first. */
  async findIdsByText(tenant: TenantContext, text: string, limit: number): Promise<string[]> {
    const rows = await this.workflows.list(tenant, matching(text), { fields: ['_id'], sort: NEWEST_FIRST, limit });
    return rows.map(({ _id }) => _id.toHexString());
  }

  async get(tenant: TenantContext, idOrIdentifier: string): Promise<WorkflowResponse> {
    return this.presenter.present(tenant, await this.mustFind(tenant, idOrIdentifier));
  }

  /** Messages outlive their workflow. */
  async findEvenDeleted(tenant: TenantContext, id: string): Promise<WorkflowResponse | undefined> {
    const row = await this.workflows.one(tenant, { _id: toObjectId(id) }, { withDeleted: true });
    return row && this.presenter.present(tenant, row);
  }

  /** The result is shared and frozen. */
  resolve(tenant: TenantContext, identifier: string): Promise<ResolvedWorkflow | undefined> {
    return this.cache.get(tenant.environmentId, identifier, async () => {
      const row = await this.workflows.one(tenant, { identifier });
      return row && resolveWorkflow(row);
    });
  }

  async findByIdOrIdentifier(tenant: TenantContext, idOrIdentifier: string): Promise<ResolvedWorkflow | undefined> {
    const row = await this.find(tenant, idOrIdentifier);
    return row && resolveWorkflow(row);
  }

  async findByIds(
    tenant: TenantContext,
    ids: readonly string[],
    options: { deleted?: boolean } = {},
  ): Promise<Map<string, ResolvedWorkflow>> {
    const rows = await this.workflows.byIds(tenant, ids, { withDeleted: options.deleted === true });
    return new Map([...rows].map(([id, row]) => [id, resolveWorkflow(row)]));
  }

  /** Includes deleted workflows. At most a second old. */
  summariesByIds(tenant: TenantContext, ids: Iterable<string>): Promise<Map<string, WorkflowSummary>> {
    return this.cache.summaries.getAll(tenant.environmentId, ids, (missing) =>
      this.workflows.byIds(tenant, missing, { fields: SUMMARY_FIELDS, withDeleted: true }),
    );
  }

  /** Oldest first. */
  async listActive(tenant: TenantContext): Promise<ResolvedWorkflow[]> {
    const rows = await this.workflows.list(tenant, { active: true }, { sort: OLDEST_FIRST });
    return rows.map(resolveWorkflow);
  }

  /**
   * Absent fields are kept; `steps` replaces the list and is matched with the steps stored at that moment.
   * @param ifMatch the versions of which the workflow must have one
   */
  async update(
    tenant: TenantContext,
    id: string,
    dto: UpdateNotificationTemplateDto,
    ifMatch?: readonly number[],
  ): Promise<WorkflowResponse> {
    const change = changesOf(dto);
    const { note } = dto;
    // Forms send an empty name if it was not edited.
    if (isEmpty(dto, change) && dto.name === '') return this.get(tenant, id);
    if (isEmpty(dto, change)) throw new NothingToUpdate();
    if (isGiven(dto.notificationGroupId)) {
      await this.mustFind(tenant, id);
      await this.groups.get(tenant, dto.notificationGroupId);
    }
    const asked = { dto, change, made: { action: 'updated', note }, ifMatch } as const;
    const written = untilWritten(
      () => this.attempt(tenant, id, asked),
      () => new WorkflowChangedMeanwhile(id),
    );
    const row = await written.catch(
      onDuplicateKey(() => {
        throw new WorkflowIdentifierTaken(dto.identifier ?? '');
      }),
    );
    return this.changed(tenant, row);
  }

  /** The workflow as it is, and as an update would leave it. Stores nothing. */
  async foresee(
    tenant: TenantContext,
    idOrIdentifier: string,
    dto: UpdateNotificationTemplateDto,
  ): Promise<{ readonly before: ResolvedWorkflow; readonly after: ResolvedWorkflow }> {
    const change = changesOf(dto);
    if (isEmpty(dto, change)) throw new NothingToUpdate();
    const before = await this.mustFind(tenant, idOrIdentifier);
    const { $set } = await this.changeOf(tenant, before, { dto, change });
    return { before: resolveWorkflow(before), after: resolveWorkflow(changedRow(before, { ...change, $set })) };
  }

  /** `draft` becomes the opposite. */
  async setStatus(tenant: TenantContext, id: string, active: boolean): Promise<WorkflowResponse> {
    const made = { action: active ? 'activated' : 'deactivated' } as const;
    return this.changed(tenant, await this.write(tenant, id, { $set: { active, draft: !active } }, made));
  }

  /** The trigger identifier becomes available again. @throws {WorkflowInUse} */
  async remove(tenant: TenantContext, id: string): Promise<true> {
    await this.writes.assertUnused(tenant, await this.mustFind(tenant, id));
    const change = softDeleted(tenant.apiKeyId, new Date());
    await this.write(tenant, id, change, { action: 'deleted' });
    await this.writes.announce(new WorkflowDeleted(tenant, id));
    return true;
  }

  private async changed(tenant: TenantContext, row: Workflow): Promise<WorkflowResponse> {
    await this.writes.announce(new WorkflowUpdated(tenant, row._id.toHexString()));
    return this.presenter.present(tenant, row);
  }

  private async mustFind(tenant: TenantContext, idOrIdentifier: string): Promise<Workflow> {
    const row = await this.find(tenant, idOrIdentifier);
    if (row === undefined) throw new WorkflowNotFound(idOrIdentifier);
    return row;
  }

  private async find(tenant: TenantContext, idOrIdentifier: string): Promise<Workflow | undefined> {
    const byId = isObjectId(idOrIdentifier)
      ? await this.workflows.one(tenant, { _id: toObjectId(idOrIdentifier) })
      : undefined;
    return byId ?? this.workflows.one(tenant, { identifier: idOrIdentifier });
  }

  /** A blueprint names its group: ids of another environment are not valid here. */
  private async groupIdFor(tenant: TenantContext, dto: CreateWorkflowDto): Promise<string> {
    const { blueprintId, notificationGroup, notificationGroupId } = dto;
    if (blueprintId && notificationGroup?.name !== undefined) {
      return (await this.groups.getOrCreate(tenant, notificationGroup.name))._id;
    }
    const group = isGiven(notificationGroupId)
      ? await this.groups.get(tenant, notificationGroupId)
      : await this.groups.getDefault(tenant);
    return group._id;
  }

  private async insert(tenant: TenantContext, name: string, fields: object): Promise<Workflow> {
    assertSize(fields);
    for (let attempt = 1; ; attempt++) {
      try {
        const identifier = triggerIdentifier(name, attempt > 1);
        assertMayUse(tenant, identifier);
        const workflow = await this.workflows.create({ ...fields, identifier });
        return workflow.toObject();
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private write(tenant: TenantContext, id: string, change: WorkflowChange, made: Made): Promise<Workflow> {
    return untilWritten(
      async () => (await this.writes.change(tenant, await this.mustFind(tenant, id), change, made)) ?? undefined,
      () => new WorkflowChangedMeanwhile(id),
    );
  }

  /**
   * Conditional on the version read: it becomes a version, steps keep existing ids, and undoing restores the former row.
   * @returns undefined if another change was faster
   */
  private async attempt(
    tenant: TenantContext,
    id: string,
    { dto, change, made, ifMatch }: AskedChange,
  ): Promise<Workflow | undefined> {
    const before = await this.mustFind(tenant, id);
    assertVersion(before, ifMatch);
    const renamed = change.$set?.['identifier'];
    if (renamed !== undefined && renamed !== before.identifier) await this.writes.assertUnused(tenant, before);
    const { $set, steps } = await this.changeOf(tenant, before, { dto, change });
    const row = await this.writes.change(tenant, before, { ...change, $set }, made);
    if (row === null) return undefined;
    const group = change.$set?.['_notificationGroupId'] as Workflow['_notificationGroupId'] | undefined;
    if (steps || group !== undefined)
      await this.builder.confirm(tenant, steps ?? [], group?.toHexString(), () =>
        this.writes.undoChange(tenant, before, row),
      );
    return row;
  }

  private async changeOf(
    tenant: TenantContext,
    before: Workflow,
    { dto, change }: Pick<AskedChange, 'dto' | 'change'>,
  ): Promise<{ readonly $set: Record<string, unknown>; readonly steps?: Step[] }> {
    const language = await languageAfter(before, dto);
    if (!isGiven(dto.steps)) return { $set: { ...change.$set } };
    const steps = await this.builder.build(tenant, dto.steps, { existing: before.steps, language });
    const $set = { ...change.$set, ...(await withTriggerVariables(steps, language)) };
    assertSize($set);
    return { $set, steps };
  }
}

function isEmpty({ steps }: UpdateNotificationTemplateDto, change: WorkflowChange): boolean {
  return Object.keys(change).length === 0 && !isGiven(steps);
}

interface AskedChange {
  readonly dto: UpdateNotificationTemplateDto;
  readonly change: WorkflowChange;
  readonly made: Made;
  readonly ifMatch?: readonly number[] | undefined;
}

/** For finding a free identifier. */
const MAX_ATTEMPTS = 10;

/** Can be large, so lists omit it. */
const CONTENT = ['steps.variants', 'steps.template.content'];

function matching(text: string | null | undefined): object {
  if (!isGiven(text) || text === '') return {};
  // A pattern cannot contain NUL itself.
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\0', '\\x00');
  const pattern = { $regex: escaped, $options: 'i' };
  return { $or: [{ name: pattern }, { identifier: pattern }] };
}
