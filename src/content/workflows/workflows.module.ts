import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { FeedsModule } from '../feeds/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { LayoutsModule } from '../layouts/index.js';
import { RenderingModule } from '../../platform/rendering/index.js';
import { UsersModule } from '../../people/users/index.js';
import { NotificationGroupsModule } from '../notification-groups/index.js';
import { IdentifierSuggestions } from './identifier-suggestions.js';
import { NotificationTemplatesController } from './notification-templates.controller.js';
import { StepsBuilder } from './steps-builder.js';
import { WorkflowHistory } from './workflow-history.js';
import { WorkflowRestoresService } from './versions/workflow-restores.service.js';
import { WorkflowVersion, WorkflowVersionSchema } from './workflow-version.schema.js';
import { WorkflowVersionsController } from './versions/workflow-versions.controller.js';
import { WorkflowVersionsService } from './versions/workflow-versions.service.js';
import { DraftSteps } from './draft-steps.js';
import { WorkflowCache } from './workflow-cache.js';
import { WorkflowDefinitionsService } from './workflow-definitions.service.js';
import { WorkflowNames } from './workflow-names.js';
import { WorkflowPresenter } from './workflow-presenter.js';
import { WorkflowReferences } from './workflow-references.js';
import { Workflow, WorkflowSchema } from './workflow.schema.js';
import { WorkflowWrites } from './workflow-writes.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Workflow.name, schema: WorkflowSchema },
      { name: WorkflowVersion.name, schema: WorkflowVersionSchema },
    ]),
    AuthModule,
    NotificationGroupsModule,
    RenderingModule,
    UsersModule,
    FeedsModule,
    LayoutsModule,
    IntegrationsModule,
  ],
  controllers: [WorkflowsController, NotificationTemplatesController, WorkflowVersionsController],
  providers: [
    WorkflowsService,
    WorkflowDefinitionsService,
    WorkflowNames,
    WorkflowWrites,
    WorkflowHistory,
    WorkflowVersionsService,
    WorkflowRestoresService,
    DraftSteps,
    StepsBuilder,
    WorkflowPresenter,
    WorkflowCache,
    WorkflowReferences,
    IdentifierSuggestions,
  ],
  exports: [WorkflowsService, WorkflowVersionsService, DraftSteps, WorkflowDefinitionsService, IdentifierSuggestions],
})
export class WorkflowsModule {}
