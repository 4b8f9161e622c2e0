import { Module } from '@nestjs/common';
import { BudgetsModule } from './budgets/index.js';
import { DefinitionsModule } from './definitions/index.js';
import { FeedsModule } from './feeds/index.js';
import { ImagesModule } from './images/index.js';
import { LayoutsModule } from './layouts/index.js';
import { NotificationGroupsModule } from './notification-groups/index.js';
import { PreferencesModule } from './preferences/index.js';
import { PromotionsModule } from './promotions/index.js';
import { SuppressionsModule } from './suppressions/index.js';
import { TranslationsModule } from './translations/index.js';
import { WorkflowOverridesModule } from './workflow-overrides/index.js';
import { WorkflowsModule } from './workflows/index.js';

@Module({
  imports: [
    NotificationGroupsModule,
    FeedsModule,
    LayoutsModule,
    ImagesModule,
    TranslationsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
    BudgetsModule,
    DefinitionsModule,
    PromotionsModule,
    PreferencesModule,
    SuppressionsModule,
  ],
})
export class ContentModule {}
