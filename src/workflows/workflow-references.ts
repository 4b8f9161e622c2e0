import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ReferenceGuard, type TenantModel, toObjectId } from '#libs/persistence';
import { Workflow } from './workflow.schema.js';

@Injectable()
export class WorkflowReferences implements OnModuleInit {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly guard: ReferenceGuard,
  ) {}

  onModuleInit(): void {
    this.guard.register('feed', (tenant, id) => this.isInSteps(tenant.environmentId, '_feedId', id));
    this.guard.register('layout', (tenant, id) => this.isInSteps(tenant.environmentId, '_layoutId', id));
    this.guard.register('notification-group', async ({ environmentId }, id) => {
      const filter = { _environmentId: environmentId, _notificationGroupId: id };
      return (await this.workflows.exists(filter).exec()) !== null;
    });
  }

  /** Steps are stored without a schema, so Mongoose does not cast ids in them. */
  private async isInSteps(environmentId: string, field: '_feedId' | '_layoutId', id: string): Promise<boolean> {
    const value = toObjectId(id);
    const filter = {
      _environmentId: environmentId,
      $or: [{ [`steps.template.${field}`]: value }, { [`steps.variants.template.${field}`]: value }],
    };
    return (await this.workflows.exists(filter).exec()) !== null;
  }
}
