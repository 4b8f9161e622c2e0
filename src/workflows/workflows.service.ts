import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import mongoose from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
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
  withoutNullish,
} from '#libs/persistence';
import { extractTriggerVariablesInTurns } from '#libs/templates';
import { isGiven } from '#libs/validation';
import { NotificationGroupsService } from '../notification-groups/index.js';
import type { CreateWorkflowDto, ListWorkflowsDto, UpdateNotificationTemplateDto } from './workflow.dto.js';
import type { WorkflowResponse, WorkflowSummaryResponse } from './workflow.response.js';
import { StepsBuilder } from './steps-builder.js';
import type { SentStep, Step } from './steps/step.schema.js';
import { triggerIdentifier } from './trigger-identifier.js';
import { type ResolvedWorkflow, resolveWorkflow } from './resolved-workflow.js';
import { SUMMARY_FIELDS, WorkflowCache, type WorkflowSummary } from './workflow-cache.js';
import { changesOf, completeSwitches } from './workflow-changes.js';
import { WorkflowPresenter } from './workflow-presenter.js';
import { Workflow } from './workflow.schema.js';
import {
  WorkflowChangedMeanwhile,
  WorkflowIdentifierTaken,
  WorkflowNotFound,
  WorkflowTooLarge,
} from './workflows.errors.js';
import { WorkflowCreated, WorkflowDeleted, WorkflowUpdated } from './workflows.events.js';

/** Attempts to find a free identifier, and to change steps while other requests change the same workflow. */
const MAX_ATTEMPTS = 10;
/** The store takes records of 16 MiB; the rest is for what is added to the steps. */
const MAX_SIZE_BYTES = 15_000_000;

type Change = { $set?: Record<string, unknown>; $unset?: Record<string, 1> };

@Injectable()
export class WorkflowsService {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly groups: NotificationGroupsService,
    private readonly builder: StepsBuilder,
    private readonly presenter: WorkflowPresenter,
    private readonly cache: WorkflowCache,
    private readonly events: EventBus,
  ) {}

  /**
   * @throws {ValidationFailed} @throws {StepsNotRunnable} @throws {NotificationGroupNotFound}
   * @throws {WorkflowTooLarge}
   */
  async create(tenant: TenantContext, dto: CreateWorkflowDto): Promise<WorkflowResponse> {
    const { name, description, data } = dto;
    const blueprintId = dto.blueprintId || undefined; // some clients send an empty text for none
    const steps = await this.builder.build(tenant, dto.steps, { existing: [], dropFeeds: isGiven(blueprintId) });
    const active = dto.active ?? false;
    const row = await this.insert(name, {
      ...ownedBy(tenant),
      _creatorId: tenant.userId,
      _notificationGroupId: await this.groupIdFor(tenant, dto),
      name,
      ...withoutNullish({ description, blueprintId, data }),
      active,
      draft: dto.draft ?? !active,
      critical: dto.critical ?? false,
      ...(dto.severity && { severity: dto.severity }),
      tags: dto.tags ?? [],
      preferenceSettings: completeSwitches(dto.preferenceSettings),
      ...(await withTriggerVariables(steps)),
    });
    await this.confirm(tenant, steps, row._notificationGroupId.toHexString(), async () => {
      await this.workflows.collection.deleteOne({ _id: row._id });
    });
    await this.events.publish(new WorkflowCreated(tenant, row._id.toHexString()));
    return this.presenter.present(tenant, row);
  }

  /** The workflows of the environment, newest first; `query` looks into name and trigger identifier. */
  async list(tenant: TenantContext, query: ListWorkflowsDto): Promise<Page<WorkflowSummaryResponse>> {
    const { page, limit } = query;
    const where = matching(query.query);
    const [{ rows, hasMore }, totalCount] = await Promise.all([
      this.workflows.page(tenant, where, { page, limit, sort: NEWEST_FIRST, without: CONTENT }),
      this.workflows.count(tenant, where),
    ]);
    return new Page(await this.presenter.presentAll(tenant, rows), page, limit, hasMore, totalCount);
  }

  /** Record ids of the workflows whose name or trigger identifier contains the text, newest first. */
  async findIdsByText(tenant: TenantContext, text: string, limit: number): Promise<string[]> {
    const rows = await this.workflows.list(tenant, matching(text), { fields: ['_id'], sort: NEWEST_FIRST, limit });
    return rows.map(({ _id }) => _id.toHexString());
  }

  /** @throws {WorkflowNotFound} */
  async get(tenant: TenantContext, idOrIdentifier: string): Promise<WorkflowResponse> {
    return this.presenter.present(tenant, await this.mustFind(tenant, idOrIdentifier));
  }

  /** The workflow with this id, even if it is deleted: its messages outlive it. */
  async findEvenDeleted(tenant: TenantContext, id: string): Promise<WorkflowResponse | undefined> {
    const row = await this.workflows.one(tenant, { _id: toObjectId(id) }, { withDeleted: true });
    return row && this.presenter.present(tenant, row);
  }

  /** The workflow that a trigger names, or undefined. The result is shared and frozen. */
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

  /** The workflows with these record ids, by id. @param options.deleted find deleted ones as well */
  async findByIds(
    tenant: TenantContext,
    ids: readonly string[],
    options: { deleted?: boolean } = {},
  ): Promise<Map<string, ResolvedWorkflow>> {
    const rows = await this.workflows.byIds(tenant, ids, { withDeleted: options.deleted === true });
    return new Map([...rows].map(([id, row]) => [id, resolveWorkflow(row)]));
  }

  /**
   * What messages show of workflows, by record id, even of deleted ones. Changes by another process take effect within
   * a second.
   */
  summariesByIds(tenant: TenantContext, ids: Iterable<string>): Promise<Map<string, WorkflowSummary>> {
    return this.cache.summaries.getAll(tenant.environmentId, ids, (missing) =>
      this.workflows.byIds(tenant, missing, { fields: SUMMARY_FIELDS, withDeleted: true }),
    );
  }

  /** The active workflows, oldest first: those that subscribers can have preferences for. */
  async listActive(tenant: TenantContext): Promise<ResolvedWorkflow[]> {
    const rows = await this.workflows.list(tenant, { active: true }, { sort: OLDEST_FIRST });
    return rows.map(resolveWorkflow);
  }

  /**
   * What is absent stays; `steps` replaces the list, and is matched with the steps that are stored at that moment.
   * @throws {WorkflowNotFound} @throws {WorkflowIdentifierTaken} @throws {NothingToUpdate} @throws {ValidationFailed}
   */
  async update(tenant: TenantContext, id: string, dto: UpdateNotificationTemplateDto): Promise<WorkflowResponse> {
    const change = changesOf(dto);
    const { steps } = dto;
    const isEmpty = Object.keys(change).length === 0 && !isGiven(steps);
    // Forms send an empty name if it was not edited.
    if (isEmpty && dto.name === '') return this.get(tenant, id);
    if (isEmpty) throw new NothingToUpdate();
    await this.mustFind(tenant, id);
    const refers = isGiven(steps) || isGiven(dto.notificationGroupId);
    if (isGiven(dto.notificationGroupId)) await this.groups.get(tenant, dto.notificationGroupId);
    const written = refers ? this.writeReferences(tenant, id, steps, change) : this.write(tenant, id, change);
    const row = await written.catch(
      onDuplicateKey(() => {
        throw new WorkflowIdentifierTaken(dto.identifier ?? '');
      }),
    );
    return this.changed(tenant, row);
  }

  /** `draft` becomes the opposite. @throws {WorkflowNotFound} */
  async setStatus(tenant: TenantContext, id: string, active: boolean): Promise<WorkflowResponse> {
    return this.changed(tenant, await this.write(tenant, id, { $set: { active, draft: !active } }));
  }

  /** The trigger identifier becomes available again. @throws {WorkflowNotFound} */
  async remove(tenant: TenantContext, id: string): Promise<true> {
    await this.write(tenant, id, softDeleted(tenant.apiKeyId, new Date()));
    await this.events.publish(new WorkflowDeleted(tenant, id));
    return true;
  }

  private async changed(tenant: TenantContext, row: Workflow): Promise<WorkflowResponse> {
    await this.events.publish(new WorkflowUpdated(tenant, row._id.toHexString()));
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

  /** A blueprint names its group, because ids of another environment are not valid in this one. */
  private async groupIdFor(tenant: TenantContext, dto: CreateWorkflowDto): Promise<string> {
    const { blueprintId, notificationGroup, notificationGroupId } = dto;
    const group =
      blueprintId && notificationGroup?.name !== undefined
        ? await this.groups.getOrCreate(tenant, notificationGroup.name)
        : await this.groups.get(tenant, notificationGroupId);
    return group._id;
  }

  private async insert(name: string, fields: object): Promise<Workflow> {
    assertSize(fields);
    for (let attempt = 1; ; attempt++) {
      try {
        const identifier = triggerIdentifier(name, attempt > 1);
        const workflow = await this.workflows.create({ ...fields, identifier });
        return workflow.toObject();
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Steps keep the ids of existing ones, and undoing a change restores the former row, so the write is conditional on
   * the version that was read.
   */
  private async writeReferences(
    tenant: TenantContext,
    id: string,
    sent: SentStep[] | null | undefined,
    change: Change,
  ): Promise<Workflow> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const before = await this.mustFind(tenant, id);
      const steps = isGiven(sent) && (await this.builder.build(tenant, sent, { existing: before.steps }));
      const $set = { ...change.$set, ...(steps && (await withTriggerVariables(steps))) };
      assertSize($set);
      const row = await this.tryWrite(tenant, { _id: id, __v: before.__v }, { ...change, $set });
      if (row === null) continue;
      const groupId = change.$set?.['_notificationGroupId'] as string | undefined;
      await this.confirm(tenant, steps || [], groupId, async () => {
        const undone = { ...before, __v: row.__v + 1 };
        await this.workflows.collection.replaceOne({ _id: row._id, __v: row.__v }, undone);
        this.cache.forget(tenant.environmentId, id);
      });
      return row;
    }
    throw new WorkflowChangedMeanwhile(id);
  }

  /** Checks the references again: they may have been deleted before the write; from now on they are in use. */
  private async confirm(
    tenant: TenantContext,
    steps: readonly Step[],
    groupId: string | undefined,
    undo: () => Promise<void>,
  ): Promise<void> {
    try {
      await this.builder.assertReferences(tenant, steps);
      if (groupId !== undefined) await this.groups.get(tenant, groupId);
    } catch (error) {
      await undo();
      throw error;
    }
  }

  private async write(tenant: TenantContext, id: string, change: Change): Promise<Workflow> {
    const row = await this.tryWrite(tenant, { _id: id }, change);
    if (row === null) throw new WorkflowNotFound(id);
    return row;
  }

  private async tryWrite(
    { environmentId }: TenantContext,
    which: { _id: string; __v?: number },
    change: Change,
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
}

/** Lists do not show content, which can be large. */
const CONTENT = ['steps.variants', 'steps.template.content'];

function matching(text: string | null | undefined): object {
  if (!isGiven(text) || text === '') return {};
  // A pattern cannot hold the character NUL itself.
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\0', '\\x00');
  const pattern = { $regex: escaped, $options: 'i' };
  return { $or: [{ name: pattern }, { identifier: pattern }] };
}

async function withTriggerVariables(steps: Step[]): Promise<Pick<Workflow, 'steps' | 'triggerVariables'>> {
  return { steps, triggerVariables: await extractTriggerVariablesInTurns(steps) };
}

/** @throws {WorkflowTooLarge} when a workflow with these fields could not be stored */
function assertSize(fields: object): void {
  const bytes = mongoose.mongo.BSON.calculateObjectSize(fields);
  if (bytes > MAX_SIZE_BYTES) throw new WorkflowTooLarge(bytes, MAX_SIZE_BYTES);
}
