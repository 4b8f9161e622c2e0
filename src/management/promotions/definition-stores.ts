import { Injectable } from '@nestjs/common';
import type { DefinedRecord, DefinitionChange, DefinitionKind, TenantContext } from '#libs/common';
import { createValidationPipe, type Page, type PageQuery } from '#libs/http-kit';
import { BudgetDto, BudgetsService } from '../budgets/index.js';
import { CreateFeedDto, FeedsService } from '../feeds/index.js';
import { LayoutDefinitionDto, LayoutDefinitionsService, LayoutsService } from '../layouts/index.js';
import { CreateNotificationGroupDto, NotificationGroupsService } from '../notification-groups/index.js';
import { TranslationDefinitionDto, TranslationDefinitionsService, TranslationsService } from '../translations/index.js';
import {
  OverrideDefinitionsService,
  WorkflowOverrideDefinitionDto,
  WorkflowOverridesService,
} from '../workflow-overrides/index.js';
import {
  type Defining,
  WorkflowDefinitionDto,
  WorkflowDefinitionsService,
  WorkflowsService,
} from '../workflows/index.js';

/** The definitions of one kind, in any environment. */
export interface DefinitionStore {
  readonly kind: DefinitionKind;
  /** Identifies a record of the kind in every environment. */
  readonly nameOf: (definition: object) => string;
  /** Oldest first. */
  readonly records: (tenant: TenantContext) => Promise<readonly DefinedRecord<object>[]>;
  /** As the route for definitions does. */
  readonly define: (
    tenant: TenantContext,
    definition: object,
    isDryRun: boolean,
    defining?: Defining,
  ) => Promise<DefinitionChange<object>>;
  readonly remove: (tenant: TenantContext, id: string) => Promise<unknown>;
}

interface Parts<T> {
  readonly nameOf: (definition: T) => string;
  readonly records: (tenant: TenantContext) => Promise<readonly DefinedRecord<T>[]>;
  readonly define: (
    tenant: TenantContext,
    dto: T,
    isDryRun: boolean,
    defining?: Defining,
  ) => Promise<DefinitionChange<T>>;
  readonly remove: (tenant: TenantContext, id: string) => Promise<unknown>;
}

/** The kinds of definitions, each after what it refers to. */
@Injectable()
export class DefinitionStores {
  readonly all: readonly DefinitionStore[];

  constructor(
    groups: NotificationGroupsService,
    feeds: FeedsService,
    layouts: LayoutsService,
    layoutDefinitions: LayoutDefinitionsService,
    translations: TranslationsService,
    translationDefinitions: TranslationDefinitionsService,
    workflows: WorkflowsService,
    workflowDefinitions: WorkflowDefinitionsService,
    overrides: WorkflowOverridesService,
    overrideDefinitions: OverrideDefinitionsService,
    budgets: BudgetsService,
  ) {
    this.all = [
      storeOf('notification-group', CreateNotificationGroupDto, {
        nameOf: ({ name }) => name,
        records: async (tenant) => named(await groups.list(tenant)),
        define: (tenant, dto, isDryRun) => groups.define(tenant, dto, isDryRun),
        remove: (...given) => groups.remove(...given),
      }),
      storeOf('feed', CreateFeedDto, {
        nameOf: ({ name }) => name,
        records: async (tenant) => named(await feeds.list(tenant)),
        define: (tenant, dto, isDryRun) => feeds.define(tenant, dto, isDryRun),
        remove: (...given) => feeds.remove(...given),
      }),
      storeOf('layout', LayoutDefinitionDto, {
        nameOf: ({ identifier }) => identifier,
        records: (tenant) => everyPage((query) => layoutDefinitions.list(tenant, query)),
        define: (tenant, dto, isDryRun) => layoutDefinitions.define(tenant, dto, isDryRun),
        remove: (...given) => layouts.remove(...given),
      }),
      storeOf('translation', TranslationDefinitionDto, {
        nameOf: ({ locale }) => locale,
        records: (tenant) => everyPage((query) => translationDefinitions.list(tenant, query)),
        define: (tenant, dto, isDryRun) => translationDefinitions.define(tenant, dto, isDryRun),
        remove: (...given) => translations.remove(...given),
      }),
      storeOf('workflow', WorkflowDefinitionDto, {
        nameOf: ({ identifier }) => identifier,
        records: (tenant) => everyPage((query) => workflowDefinitions.list(tenant, query)),
        define: (...given) => workflowDefinitions.define(...given),
        remove: (...given) => workflows.remove(...given),
      }),
      storeOf('workflow-override', WorkflowOverrideDefinitionDto, {
        nameOf: ({ workflow, tenant }) => `${workflow} for ${tenant}`,
        records: (tenant) => everyPage((query) => overrideDefinitions.list(tenant, query)),
        define: (tenant, dto, isDryRun) => overrideDefinitions.define(tenant, dto, isDryRun),
        remove: (...given) => overrides.remove(...given),
      }),
      storeOf('budget', BudgetDto, {
        nameOf: ({ name }) => name,
        records: (tenant) => everyPage((query) => budgets.definitions(tenant, query)),
        define: (tenant, dto, isDryRun) => budgets.define(tenant, dto, isDryRun),
        remove: (...given) => budgets.remove(...given),
      }),
    ];
  }
}

const PAGE_SIZE = 100;
const pipe = createValidationPipe();

/** What a kind lists is what it takes, so each store casts to its own type only what it has listed. */
function storeOf<T extends object>(kind: DefinitionKind, dto: new () => T, parts: Parts<T>): DefinitionStore {
  return {
    kind,
    nameOf: (definition) => parts.nameOf(definition as T),
    records: parts.records,
    define: async (tenant, definition, ...how) => parts.define(tenant, await received(dto, definition), ...how),
    remove: parts.remove,
  };
}

/** As if it had come in a body, with its defaults and checked by the same rules. */
async function received<T extends object>(metatype: new () => T, definition: object): Promise<T> {
  const body: unknown = JSON.parse(JSON.stringify(definition));
  return (await pipe.transform(body, { type: 'body', metatype })) as T;
}

function named(rows: readonly { _id: string; name: string }[]): DefinedRecord<{ name: string }>[] {
  return rows.map(({ _id, name }) => ({ id: _id, definition: { name } }));
}

async function everyPage<T>(list: (query: PageQuery) => Promise<Page<DefinedRecord<T>>>): Promise<DefinedRecord<T>[]> {
  const records: DefinedRecord<T>[] = [];
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = await list({ page, limit: PAGE_SIZE });
    records.push(...data);
    if (!hasMore) return records;
  }
}
