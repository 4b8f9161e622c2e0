import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { TenantDeleted } from '../../audience/tenants/index.js';
import { WorkflowDeleted } from '../workflows/index.js';
import { WorkflowOverridesService } from './workflow-overrides.service.js';

@Injectable()
export class WorkflowOverridesListener {
  constructor(private readonly overrides: WorkflowOverridesService) {}

  @OnDomainEvent(TenantDeleted)
  async onTenantDeleted({ tenant, tenantId }: TenantDeleted): Promise<void> {
    await this.overrides.removeAllOf(tenant, { _tenantId: tenantId });
  }

  @OnDomainEvent(WorkflowDeleted)
  async onWorkflowDeleted({ tenant, workflowId }: WorkflowDeleted): Promise<void> {
    await this.overrides.removeAllOf(tenant, { _workflowId: workflowId });
  }
}
