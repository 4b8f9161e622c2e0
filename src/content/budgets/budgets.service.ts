import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  EventBus,
  isChange,
  type TenantContext,
} from '#libs/common';
import { Page, type PageQuery, ValidationFailed } from '#libs/http-kit';
import {
  NEWEST_FIRST,
  OLDEST_FIRST,
  onDuplicateKey,
  ownedBy,
  softDeleted,
  type TenantModel,
  toObjectId,
  untilWritten,
} from '#libs/persistence';
import { WorkflowsService } from '../workflows/index.js';
import type { BudgetDto } from './budget.dto.js';
import { type BudgetFields, definitionOf, faultsOf, fieldsOf } from './budget-fields.js';
import { type BudgetResponse, showBudget } from './budget.response.js';
import { BudgetRules } from './budget-rules.js';
import { Budget } from './budget.schema.js';
import { BudgetAlreadyExists, BudgetNotFound, TooManyBudgets } from './budgets.errors.js';
import { BudgetsChanged } from './budgets.events.js';

/** Every message of a subscriber is counted by each. */
const MAX_BUDGETS = 20;
const OPTIONAL = ['amount', 'unit', 'digestWorkflow'] as const;

@Injectable()
export class BudgetsService {
  constructor(
    @InjectModel(Budget.name) private readonly budgets: TenantModel<Budget>,
    private readonly workflows: WorkflowsService,
    private readonly rules: BudgetRules,
    private readonly bus: EventBus,
  ) {}

  /** @throws {ValidationFailed} @throws {BudgetAlreadyExists} @throws {TooManyBudgets} */
  async create(tenant: TenantContext, dto: BudgetDto): Promise<BudgetResponse> {
    const fields = await this.checked(tenant, dto);
    await this.assertRoom(tenant);
    const row = await this.budgets.create({ ...ownedBy(tenant), ...fields }).catch(refuseTaken(dto.name));
    await this.changed(tenant);
    return showBudget(row.toObject());
  }

  /** The budgets of the environment, newest first. */
  async list(tenant: TenantContext, query: PageQuery): Promise<Page<BudgetResponse>> {
    const { rows, hasMore } = await this.budgets.page(tenant, {}, { ...query, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => showBudget(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  /** @throws {BudgetNotFound} */
  async get(tenant: TenantContext, id: string): Promise<BudgetResponse> {
    const row = await this.budgets.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new BudgetNotFound(id);
    return showBudget(row);
  }

  /** @throws {ValidationFailed} @throws {BudgetNotFound} @throws {BudgetAlreadyExists} when the new name is taken */
  async replace(tenant: TenantContext, id: string, dto: BudgetDto): Promise<BudgetResponse> {
    const fields = await this.checked(tenant, dto);
    const row = await this.budgets
      .findOneAndUpdate({ _id: id, _environmentId: tenant.environmentId }, replacement(fields), {
        returnDocument: 'after',
      })
      .lean()
      .exec()
      .catch(refuseTaken(dto.name));
    if (row === null) throw new BudgetNotFound(id);
    await this.changed(tenant);
    return showBudget(row);
  }

  /** @throws {BudgetNotFound} */
  async remove(tenant: TenantContext, id: string): Promise<void> {
    const { matchedCount } = await this.budgets.updateOne(
      { _id: id, _environmentId: tenant.environmentId },
      softDeleted(tenant.apiKeyId, new Date()),
    );
    if (matchedCount === 0) throw new BudgetNotFound(id);
    await this.changed(tenant);
  }

  async definitions(tenant: TenantContext, query: PageQuery): Promise<Page<DefinedRecord<BudgetDto>>> {
    const { rows, hasMore } = await this.budgets.page(tenant, {}, { ...query, sort: OLDEST_FIRST });
    const records = rows.map((row) => ({ id: row._id.toHexString(), definition: definitionOf(row) }));
    return new Page(records, query.page, query.limit, hasMore);
  }

  /** Creates or replaces a budget by its name. @param isDryRun only reports what would happen and a missing workflow */
  async define(tenant: TenantContext, dto: BudgetDto, isDryRun: boolean): Promise<DefinitionChange<BudgetDto>> {
    const fields = valid(dto);
    const after = definitionOf(fields);
    const isMissing = await this.lacksWorkflow(tenant, fields);
    if (isMissing && !isDryRun) throw workflowMissing();
    const { digestWorkflow: name = '' } = fields;
    const missing = isMissing ? [{ kind: 'workflow' as const, name, path: 'digestWorkflow' }] : [];
    const change = await untilWritten(async () => {
      const before = await this.budgets.one(tenant, { name: dto.name });
      const found = definitionChange(before === undefined ? null : definitionOf(before), after, missing);
      if (!isChange(found, isDryRun)) return found;
      if (before === undefined) await this.assertRoom(tenant);
      const isWritten = before === undefined ? this.insert(tenant, fields) : this.write(tenant, before, fields);
      return (await isWritten) ? found : undefined;
    });
    if (isChange(change, isDryRun)) await this.changed(tenant);
    return change;
  }

  /** @returns false if another request created it at the same time */
  private insert(tenant: TenantContext, fields: BudgetFields): Promise<boolean> {
    return this.budgets.create({ ...ownedBy(tenant), ...fields }).then(
      () => true,
      onDuplicateKey(() => false),
    );
  }

  /** @returns false if it was deleted after it was read */
  private async write({ environmentId }: TenantContext, { _id }: Budget, fields: BudgetFields): Promise<boolean> {
    const { matchedCount } = await this.budgets.updateOne({ _id, _environmentId: environmentId }, replacement(fields));
    return matchedCount === 1;
  }

  private async checked(tenant: TenantContext, dto: BudgetDto): Promise<BudgetFields> {
    const fields = valid(dto);
    if (await this.lacksWorkflow(tenant, fields)) throw workflowMissing();
    return fields;
  }

  private async lacksWorkflow(tenant: TenantContext, { digestWorkflow }: BudgetFields): Promise<boolean> {
    return digestWorkflow !== undefined && (await this.workflows.resolve(tenant, digestWorkflow)) === undefined;
  }

  private async assertRoom(tenant: TenantContext): Promise<void> {
    if ((await this.budgets.count(tenant, {})) >= MAX_BUDGETS) throw new TooManyBudgets(MAX_BUDGETS);
  }

  private async changed(tenant: TenantContext): Promise<void> {
    this.rules.forget(tenant);
    await this.bus.publish(new BudgetsChanged(tenant));
  }
}

/** @throws {ValidationFailed} */
function valid(dto: BudgetDto): BudgetFields {
  const fields = fieldsOf(dto);
  const faults = faultsOf(fields);
  if (faults.length > 0) throw new ValidationFailed(faults);
  return fields;
}

function workflowMissing(): Error {
  return new ValidationFailed(['digestWorkflow must be the trigger identifier of a workflow of this environment']);
}

function replacement(fields: BudgetFields): { $set: BudgetFields; $unset?: Record<string, 1> } {
  const absent = OPTIONAL.filter((field) => fields[field] === undefined);
  const $unset = Object.fromEntries(absent.map((field) => [field, 1 as const]));
  return { $set: fields, ...(absent.length > 0 && { $unset }) };
}

function refuseTaken(name: string): (error: unknown) => never {
  return onDuplicateKey(() => {
    throw new BudgetAlreadyExists(name);
  });
}
