import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  HidesUrlSecrets,
  lookAt,
  type Page,
  PageQuery,
  Tenant,
} from '#libs/http-kit';
import type { DefinedRecord, TenantContext } from '#libs/common';
import { CreateFeedDto, FeedsService } from '../feeds/index.js';
import { LayoutDefinitionDto, LayoutDefinitionsService, LayoutsService, TooMuchContention } from '../layouts/index.js';
import { CreateNotificationGroupDto, NotificationGroupsService } from '../notification-groups/index.js';
import {
  OverrideDefinitionsService,
  WorkflowOverrideDefinitionDto,
  WorkflowOverridesService,
} from '../workflow-overrides/index.js';
import {
  StepsNotRunnable,
  WorkflowChangedMeanwhile,
  WorkflowDefinitionDto,
  WorkflowDefinitionsService,
  WorkflowProtected,
  WorkflowsService,
  WorkflowTooLarge,
} from '../workflows/index.js';
import { assertSame } from './assert-same.js';
import { DefineQuery } from './definition.dto.js';
import { PromotedFrom } from './promoted-from.js';
import {
  FeedChangeResponse,
  LayoutChangeResponse,
  LayoutRecordResponse,
  NotificationGroupChangeResponse,
  showChange,
  WorkflowChangeResponse,
  WorkflowOverrideChangeResponse,
  WorkflowOverrideRecordResponse,
  WorkflowRecordResponse,
} from './definition.response.js';

/** Records without ids, which can be moved from one environment to another. */
@ApiTags('Definitions')
@Controller({ path: 'definitions', version: '1' })
@HidesUrlSecrets('definition')
export class DefinitionsController {
  constructor(
    private readonly groups: NotificationGroupsService,
    private readonly feeds: FeedsService,
    private readonly layouts: LayoutDefinitionsService,
    private readonly workflows: WorkflowDefinitionsService,
    private readonly overrides: OverrideDefinitionsService,
  ) {}

  /**
   * Creates a notification group, or replaces what the one with the name says.
   * @remarks Absent fields are removed. `name` of the body equals the name in the path.
   */
  @Put('notification-groups/:groupName')
  @Audited('notification-group', {
    look: lookAt(NotificationGroupsService, (groups, caller) => groups.list(caller)),
    byFiles: true,
  })
  @ApiData(200, NotificationGroupChangeResponse)
  async defineNotificationGroup(
    @Tenant() tenant: TenantContext,
    @Param('groupName') groupName: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: CreateNotificationGroupDto,
  ): Promise<NotificationGroupChangeResponse> {
    assertSame({ name: [dto.name, groupName] });
    return showChange(NotificationGroupChangeResponse, await this.groups.define(tenant, dto, dryRun));
  }

  /**
   * Creates a feed unless there is one with the name.
   * @remarks `name` of the body equals the name in the path.
   */
  @Put('feeds/:feedName')
  @Audited('feed', { look: lookAt(FeedsService, (feeds, caller) => feeds.list(caller)), byFiles: true })
  @ApiData(200, FeedChangeResponse)
  async defineFeed(
    @Tenant() tenant: TenantContext,
    @Param('feedName') feedName: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: CreateFeedDto,
  ): Promise<FeedChangeResponse> {
    assertSame({ name: [dto.name, feedName] });
    return showChange(FeedChangeResponse, await this.feeds.define(tenant, dto, dryRun));
  }

  /** Lists the definitions of the layouts, oldest first. */
  @Get('layouts')
  @ApiPage(LayoutRecordResponse)
  listLayoutDefinitions(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<DefinedRecord<LayoutDefinitionDto>>> {
    return this.layouts.list(tenant, query);
  }

  /**
   * Creates or replaces a layout by its identifier.
   * @remarks Absent fields get their defaults. The same definition again changes nothing. `identifier` of the body equals
   * the identifier in the path.
   */
  @Put('layouts/:layoutIdentifier')
  @Audited('layout', {
    look: lookAt(LayoutsService, (layouts, caller, id) => layouts.findByIdentifier(caller, id)),
    byFiles: true,
  })
  @ApiData(200, LayoutChangeResponse)
  @ApiErrors(TooMuchContention)
  async defineLayout(
    @Tenant() tenant: TenantContext,
    @Param('layoutIdentifier') layoutIdentifier: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: LayoutDefinitionDto,
  ): Promise<LayoutChangeResponse> {
    assertSame({ identifier: [dto.identifier, layoutIdentifier] });
    return showChange(LayoutChangeResponse, await this.layouts.define(tenant, dto, dryRun));
  }

  /** Lists the definitions of the workflows, oldest first. */
  @Get('workflows')
  @ApiPage(WorkflowRecordResponse)
  listWorkflowDefinitions(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<DefinedRecord<WorkflowDefinitionDto>>> {
    return this.workflows.list(tenant, query);
  }

  /**
   * Creates or replaces a workflow by its trigger identifier.
   * @remarks Absent fields get their defaults, also inside of steps; steps keep their id by `uuid`. Group, feeds and
   * layouts are referred to by name or identifier, and must exist. The same definition again changes nothing.
   * `identifier` of the body equals the identifier in the path.
   */
  @Put('workflows/:workflowIdentifier')
  @Audited('workflow', {
    look: lookAt(WorkflowsService, (workflows, caller, id) => workflows.get(caller, id)),
    byFiles: true,
  })
  @ApiData(200, WorkflowChangeResponse)
  @ApiErrors(WorkflowChangedMeanwhile, WorkflowTooLarge, StepsNotRunnable, WorkflowProtected)
  async defineWorkflow(
    @Tenant() tenant: TenantContext,
    @Param('workflowIdentifier') workflowIdentifier: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: WorkflowDefinitionDto,
    @PromotedFrom() promotedFrom?: string,
  ): Promise<WorkflowChangeResponse> {
    assertSame({ identifier: [dto.identifier, workflowIdentifier] });
    return showChange(WorkflowChangeResponse, await this.workflows.define(tenant, dto, dryRun, { promotedFrom }));
  }

  /** Lists the definitions of the workflow overrides, oldest first. */
  @Get('workflow-overrides')
  @ApiPage(WorkflowOverrideRecordResponse)
  listWorkflowOverrideDefinitions(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<DefinedRecord<WorkflowOverrideDefinitionDto>>> {
    return this.overrides.list(tenant, query);
  }

  /**
   * Creates or replaces the override of a workflow for a tenant.
   * @remarks Absent settings are those of the workflow. `workflow` and `tenant` of the body equal the identifiers in the
   * path. The tenant must exist.
   */
  @Put('workflow-overrides/:workflowIdentifier/:tenantIdentifier')
  @Audited('workflow-override', {
    look: lookAt(WorkflowOverridesService, (overrides, caller, workflowId, { tenantIdentifier = '' }) =>
      overrides.getByPair(caller, { workflowId, tenantId: tenantIdentifier }),
    ),
    byFiles: true,
  })
  @ApiData(200, WorkflowOverrideChangeResponse)
  async defineWorkflowOverride(
    @Tenant() tenant: TenantContext,
    @Param('workflowIdentifier') workflowIdentifier: string,
    @Param('tenantIdentifier') tenantIdentifier: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: WorkflowOverrideDefinitionDto,
  ): Promise<WorkflowOverrideChangeResponse> {
    assertSame({ workflow: [dto.workflow, workflowIdentifier], tenant: [dto.tenant, tenantIdentifier] });
    return showChange(WorkflowOverrideChangeResponse, await this.overrides.define(tenant, dto, dryRun));
  }
}
