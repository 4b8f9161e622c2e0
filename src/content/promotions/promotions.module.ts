import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { FeedsModule } from '../feeds/index.js';
import { LayoutsModule } from '../layouts/index.js';
import { NotificationGroupsModule } from '../notification-groups/index.js';
import { TranslationsModule } from '../translations/index.js';
import { UsersModule } from '../../people/users/index.js';
import { WorkflowOverridesModule } from '../workflow-overrides/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ContentStores } from './content-stores.js';
import { PromotionsController } from './promotions.controller.js';
import { PromotionsService } from './promotions.service.js';
import { WorkflowStores } from './workflow-stores.js';

@Module({
  imports: [
    EnvironmentsModule,
    UsersModule,
    NotificationGroupsModule,
    FeedsModule,
    LayoutsModule,
    TranslationsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
    BudgetsModule,
  ],
  controllers: [PromotionsController],
  providers: [PromotionsService, ContentStores, WorkflowStores],
  exports: [PromotionsService],
})
export class PromotionsModule {}
