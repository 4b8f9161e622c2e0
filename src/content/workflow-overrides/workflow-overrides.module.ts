import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { TenantsModule } from '../../audience/tenants/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { OverrideDefinitionsService } from './override-definitions.service.js';
import { WorkflowOverride, WorkflowOverrideSchema } from './workflow-override.schema.js';
import { WorkflowOverridesController } from './workflow-overrides.controller.js';
import { WorkflowOverridesListener } from './workflow-overrides.listener.js';
import { WorkflowOverridesService } from './workflow-overrides.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: WorkflowOverride.name, schema: WorkflowOverrideSchema }]),
    TenantsModule,
    WorkflowsModule,
  ],
  controllers: [WorkflowOverridesController],
  providers: [WorkflowOverridesService, OverrideDefinitionsService, WorkflowOverridesListener],
  exports: [WorkflowOverridesService, OverrideDefinitionsService],
})
export class WorkflowOverridesModule {}
