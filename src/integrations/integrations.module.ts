import { Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ChannelRegistry, createChannelRegistry } from '#libs/channels';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AuthModule } from '../auth/index.js';
import { CallbackIntegrations } from './callback-integrations.js';
import { IntegrationAnswers } from './integration-answers.js';
import { IntegrationChecks } from './integration-checks.js';
import { IntegrationRankings } from './integration-rankings.js';
import { IntegrationStatusService } from './integration-status.service.js';
import { IntegrationViews } from './integration-views.js';
import { Integration, IntegrationRanking, IntegrationRankingSchema, IntegrationSchema } from './integration.schema.js';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationsService } from './integrations.service.js';

/** Closes the providers' connections when the process ends. */
@Injectable()
class ChannelsShutdown implements OnApplicationShutdown {
  constructor(private readonly channels: ChannelRegistry) {}

  async onApplicationShutdown(): Promise<void> {
    await this.channels.close();
  }
}

/** Integrations, and the one registry of channel providers of the process. */
@Module({
  imports: [
    AuthModule,
    MongooseModule.forFeature([
      { name: Integration.name, schema: IntegrationSchema },
      { name: IntegrationRanking.name, schema: IntegrationRankingSchema },
    ]),
  ],
  controllers: [IntegrationsController],
  providers: [
    {
      provide: ChannelRegistry,
      inject: [AppConfig, Clock],
      useFactory: (config: AppConfig, clock: Clock): ChannelRegistry =>
        createChannelRegistry({
          now: () => clock.now(),
          allowPrivateUrls: config.get('ALLOW_PRIVATE_URLS'),
          privateHosts: config.get('PRIVATE_HOSTS'),
          baseUrls: config.get('PROVIDER_BASE_URLS'),
        }),
    },
    ChannelsShutdown,
    IntegrationRankings,
    IntegrationViews,
    CallbackIntegrations,
    IntegrationChecks,
    IntegrationAnswers,
    IntegrationStatusService,
    IntegrationsService,
  ],
  exports: [IntegrationsService, CallbackIntegrations, ChannelRegistry],
})
export class IntegrationsModule {}
