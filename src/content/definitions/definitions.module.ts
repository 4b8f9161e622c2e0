import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/index.js';
import { FeedsModule } from '../feeds/index.js';
import { LayoutsModule } from '../layouts/index.js';
import { NotificationGroupsModule } from '../notification-groups/index.js';
import { TranslationsModule } from '../translations/index.js';
import { WorkflowOverridesModule } from '../workflow-overrides/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { BudgetDefinitionsController } from './budget-definitions.controller.js';
import { DefinitionsController } from './definitions.controller.js';
import { TranslationDefinitionsController } from './translation-definitions.controller.js';

@Module({
  imports: [
    NotificationGroupsModule,
    FeedsModule,
    LayoutsModule,
    TranslationsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
    BudgetsModule,
  ],
  controllers: [DefinitionsController, TranslationDefinitionsController, BudgetDefinitionsController],
})
export class DefinitionsModule {}
