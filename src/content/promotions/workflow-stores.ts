import { Injectable } from '@nestjs/common';
import { BudgetDto, BudgetsService } from '../budgets/index.js';
import {
  OverrideDefinitionsService,
  WorkflowOverrideDefinitionDto,
  WorkflowOverridesService,
} from '../workflow-overrides/index.js';
import { WorkflowDefinitionDto, WorkflowDefinitionsService, WorkflowsService } from '../workflows/index.js';
import { type DefinitionStore, everyPage, storeOf } from './definition-store.js';

/** Workflows, and what names them. */
@Injectable()
export class WorkflowStores {
  readonly all: readonly DefinitionStore[];

  constructor(
    workflows: WorkflowsService,
    workflowDefinitions: WorkflowDefinitionsService,
    overrides: WorkflowOverridesService,
    overrideDefinitions: OverrideDefinitionsService,
    budgets: BudgetsService,
  ) {
    this.all = [
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
