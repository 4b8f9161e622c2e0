import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { CallbackIntegrations } from './callback-integrations.js';
import { CatcherRule } from './catcher-rule.js';
import { IntegrationAnswers } from './integration-answers.js';
import { IntegrationChecks } from './integration-checks.js';
import { IntegrationHealth } from './integration-health.js';
import { IntegrationRankings } from './integration-rankings.js';
import { IntegrationStatusService } from './integration-status.service.js';
import { IntegrationViews } from './integration-views.js';
import { Integration, IntegrationRanking, IntegrationRankingSchema, IntegrationSchema } from './integration.schema.js';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationsService } from './integrations.service.js';
import { ProvidersController } from './providers.controller.js';

@Module({
  imports: [
    AuthModule,
    EnvironmentsModule,
    MongooseModule.forFeature([
      { name: Integration.name, schema: IntegrationSchema },
      { name: IntegrationRanking.name, schema: IntegrationRankingSchema },
    ]),
  ],
  controllers: [IntegrationsController, ProvidersController],
  providers: [
    IntegrationRankings,
    IntegrationViews,
    CallbackIntegrations,
    IntegrationChecks,
    CatcherRule,
    IntegrationAnswers,
    IntegrationHealth,
    IntegrationStatusService,
    IntegrationsService,
  ],
  exports: [IntegrationsService, IntegrationHealth, CallbackIntegrations],
})
export class IntegrationsModule {}
