import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { NotificationGroupsService } from '../notification-groups/index.js';
import {
  showWorkflow,
  showWorkflowSummary,
  type WorkflowResponse,
  type WorkflowSummaryResponse,
  type RelatedResources,
} from './workflow.response.js';
import { integrationStatusOf } from './integration-status.js';
import type { Workflow } from './workflow.schema.js';

@Injectable()
export class WorkflowPresenter {
  constructor(
    private readonly groups: NotificationGroupsService,
    private readonly integrations: IntegrationsService,
  ) {}

  async present(tenant: TenantContext, row: Workflow): Promise<WorkflowResponse> {
    const relatedTo = await this.readRelated(tenant, [row]);
    return showWorkflow(row, relatedTo(row));
  }

  async presentAll(tenant: TenantContext, rows: readonly Workflow[]): Promise<WorkflowSummaryResponse[]> {
    const relatedTo = await this.readRelated(tenant, rows);
    return rows.map((row) => showWorkflowSummary(row, relatedTo(row)));
  }

  private async readRelated(
    tenant: TenantContext,
    rows: readonly Workflow[],
  ): Promise<(row: Workflow) => RelatedResources> {
    const ids = rows.map(({ _notificationGroupId }) => _notificationGroupId.toHexString());
    const [groups, status] = await Promise.all([
      this.groups.findByIds(tenant, ids),
      this.integrations.channelStatus(tenant),
    ]);
    return (row) => {
      const notificationGroup = groups.get(row._notificationGroupId.toHexString());
      return {
        ...(notificationGroup && { notificationGroup }),
        workflowIntegrationStatus: integrationStatusOf(row.steps, status),
      };
    };
  }
}
