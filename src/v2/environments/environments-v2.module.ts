import { Module } from '@nestjs/common';
import { PromotionsModule } from '../../content/promotions/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { UsersModule } from '../../people/users/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { WorkflowsV2Module } from '../workflows/index.js';
import { EnvironmentsV2Controller } from './environments-v2.controller.js';
import { EnvironmentsV2Service } from './environments-v2.service.js';
import { WorkflowSyncController } from './workflow-sync.controller.js';

@Module({
  imports: [EnvironmentsModule, PromotionsModule, UsersModule, WorkflowsModule, WorkflowsV2Module],
  controllers: [EnvironmentsV2Controller, WorkflowSyncController],
  providers: [EnvironmentsV2Service],
})
export class EnvironmentsV2Module {}
