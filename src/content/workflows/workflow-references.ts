import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { ReferenceGuard, type TenantModel, toObjectId, type Where } from '#libs/persistence';
import { Workflow } from './workflow.schema.js';

@Injectable()
export class WorkflowReferences implements OnModuleInit {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly guard: ReferenceGuard,
  ) {}

  onModuleInit(): void {
    this.guard.register('feed', (tenant, id) => this.has(tenant, inSteps('_feedId', id)));
    this.guard.register('layout', (tenant, id) => this.has(tenant, inSteps('_layoutId', id)));
    this.guard.register('notification-group', (tenant, id) =>
      this.has(tenant, { _notificationGroupId: toObjectId(id) }),
    );
  }

  private async has(tenant: TenantContext, where: Where<Workflow>): Promise<boolean> {
    return (await this.workflows.one(tenant, where, { fields: ['_id'] })) !== undefined;
  }
}

function inSteps(field: '_feedId' | '_layoutId', id: string): Where<Workflow> {
  const value = toObjectId(id);
  return { $or: [{ [`steps.template.${field}`]: value }, { [`steps.variants.template.${field}`]: value }] };
}
