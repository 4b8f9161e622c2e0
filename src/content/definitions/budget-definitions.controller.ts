import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, lookAt, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { DefinedRecord, TenantContext } from '#libs/common';
import { BudgetDto, BudgetsService, TooManyBudgets } from '../budgets/index.js';
import { assertSame } from './assert-same.js';
import { DefineQuery } from './definition.dto.js';
import { BudgetChangeResponse, BudgetRecordResponse, showChange } from './definition.response.js';

/** Budgets as files have them. */
@ApiTags('Definitions')
@Controller({ path: 'definitions/budgets', version: '1' })
export class BudgetDefinitionsController {
  constructor(private readonly budgets: BudgetsService) {}

  /** Lists the definitions of the budgets, oldest first. */
  @Get()
  @ApiPage(BudgetRecordResponse)
  listBudgetDefinitions(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<DefinedRecord<BudgetDto>>> {
    return this.budgets.definitions(tenant, query);
  }

  /**
   * Creates or replaces a budget by its name.
   * @remarks Absent fields get their defaults. `name` of the body equals the name in the path. `digestWorkflow` must exist.
   */
  @Put(':budgetName')
  @Audited('budget', {
    look: lookAt(BudgetsService, (budgets, caller) => budgets.list(caller, { page: 0, limit: 100 })),
    byFiles: true,
  })
  @ApiData(200, BudgetChangeResponse)
  @ApiErrors(TooManyBudgets)
  async defineBudget(
    @Tenant() tenant: TenantContext,
    @Param('budgetName') budgetName: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: BudgetDto,
  ): Promise<BudgetChangeResponse> {
    assertSame({ name: [dto.name, budgetName] });
    return showChange(BudgetChangeResponse, await this.budgets.define(tenant, dto, dryRun));
  }
}
