import { Module } from '@nestjs/common';
import { NotificationGroupsModule } from '../../content/notification-groups/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { PreviewsModule } from '../../engine/previews/index.js';
import { WorkflowsV2Controller } from './workflows-v2.controller.js';
import { WorkflowsV2Service } from './workflows-v2.service.js';

@Module({
  imports: [WorkflowsModule, NotificationGroupsModule, PreviewsModule],
  controllers: [WorkflowsV2Controller],
  providers: [WorkflowsV2Service],
  exports: [WorkflowsV2Service],
})
export class WorkflowsV2Module {}
