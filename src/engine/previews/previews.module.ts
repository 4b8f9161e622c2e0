import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/index.js';
import { SubscribersModule } from '../../management/subscribers/index.js';
import { TenantsModule } from '../../management/tenants/index.js';
import { WorkflowsModule } from '../../management/workflows/index.js';
import { DraftPreviewsController } from './draft-previews.controller.js';
import { StepPreviewsController } from './step-previews.controller.js';
import { StepPreviewsService } from './step-previews.service.js';
import { StepSamples } from './step-samples.js';
import { TestSendsService } from './test-sends.service.js';

@Module({
  imports: [DeliveryModule, SubscribersModule, TenantsModule, WorkflowsModule],
  controllers: [StepPreviewsController, DraftPreviewsController],
  providers: [StepPreviewsService, TestSendsService, StepSamples],
})
export class PreviewsModule {}
