import { Module } from '@nestjs/common';
import { FeedsModule } from '../feeds/index.js';
import { LayoutsModule } from '../layouts/index.js';
import { NotificationGroupsModule } from '../notification-groups/index.js';
import { TranslationsModule } from '../translations/index.js';
import { WorkflowOverridesModule } from '../workflow-overrides/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { DefinitionsController } from './definitions.controller.js';

@Module({
  imports: [
    NotificationGroupsModule,
    FeedsModule,
    LayoutsModule,
    TranslationsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
  ],
  controllers: [DefinitionsController],
})
export class DefinitionsModule {}
