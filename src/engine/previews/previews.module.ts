import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/index.js';
import { OrganizationsModule } from '../../platform/organizations/index.js';
import { RenderingModule } from '../../platform/rendering/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { TenantsModule } from '../../audience/tenants/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { DraftPreviewsController } from './draft-previews.controller.js';
import { ImpactController } from './impact.controller.js';
import { ImpactService } from './impact.service.js';
import { LayoutPreviewsController } from './layout-previews.controller.js';
import { LayoutPreviewsService } from './layout-previews.service.js';
import { StepPreviewsController } from './step-previews.controller.js';
import { StepPreviewsService } from './step-previews.service.js';
import { StepSamples } from './step-samples.js';
import { TestSendsService } from './test-sends.service.js';

@Module({
  imports: [DeliveryModule, OrganizationsModule, RenderingModule, SubscribersModule, TenantsModule, WorkflowsModule],
  controllers: [StepPreviewsController, DraftPreviewsController, ImpactController, LayoutPreviewsController],
  providers: [StepPreviewsService, ImpactService, LayoutPreviewsService, TestSendsService, StepSamples],
  exports: [StepPreviewsService],
})
export class PreviewsModule {}
