import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, IdParam, lookAt, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { BudgetDto } from './budget.dto.js';
import { BudgetResponse } from './budget.response.js';
import { BudgetAlreadyExists, BudgetNotFound, TooManyBudgets } from './budgets.errors.js';
import { BudgetsService } from './budgets.service.js';

@ApiTags('Budgets')
@Controller({ path: 'budgets', version: '1' })
@Audited('budget', { look: lookAt(BudgetsService, (budgets, caller, id) => budgets.get(caller, id)) })
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  /**
   * Creates a budget.
   * @remarks It limits how many messages each subscriber of the environment gets, over all workflows. Messages of critical workflows always pass and are counted apart.
   */
  @Post()
  @ApiData(201, BudgetResponse)
  @ApiErrors(BudgetAlreadyExists, TooManyBudgets)
  createBudget(@Tenant() tenant: TenantContext, @Body() dto: BudgetDto): Promise<BudgetResponse> {
    return this.budgets.create(tenant, dto);
  }

  /** Lists the budgets, newest first. */
  @Get()
  @ApiPage(BudgetResponse)
  listBudgets(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<BudgetResponse>> {
    return this.budgets.list(tenant, query);
  }

  /** Gets a budget. */
  @Get(':budgetId')
  @ApiData(200, BudgetResponse)
  @ApiErrors(BudgetNotFound)
  getBudget(@Tenant() tenant: TenantContext, @IdParam('budgetId') budgetId: string): Promise<BudgetResponse> {
    return this.budgets.get(tenant, budgetId);
  }

  /**
   * Replaces a budget; what is absent gets its default.
   * @remarks Messages that are held look at it again. What was counted stays counted.
   */
  @Put(':budgetId')
  @ApiData(200, BudgetResponse)
  @ApiErrors(BudgetNotFound, BudgetAlreadyExists)
  replaceBudget(
    @Tenant() tenant: TenantContext,
    @IdParam('budgetId') budgetId: string,
    @Body() dto: BudgetDto,
  ): Promise<BudgetResponse> {
    return this.budgets.replace(tenant, budgetId, dto);
  }

  /**
   * Deletes a budget; its name can be used again.
   * @remarks Messages that it holds are sent, each by itself.
   */
  @Delete(':budgetId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'It is deleted' })
  @ApiErrors(BudgetNotFound)
  deleteBudget(@Tenant() tenant: TenantContext, @IdParam('budgetId') budgetId: string): Promise<void> {
    return this.budgets.remove(tenant, budgetId);
  }
}
