import '../../../src/bootstrap/register-plugins.js';
import { DynamicModule, Module } from '@nestjs/common';
import { ChannelProvidersModule } from '#libs/channels';
import { type Clock, ClockModule, EventsBusModule } from '#libs/common';
import { AppConfig, ConfigModule } from '#libs/config';
import { HttpKitModule } from '#libs/http-kit';
import { MongoModule, type Store, StoreClockModule } from '#libs/persistence';
import { WakeUpsModule } from '#libs/work';
import { SecretsModule } from '#libs/secrets';
import { ActivityModule } from '../../../src/outcomes/activity/index.js';
import { EngineModule } from '../../../src/engine/engine.module.js';
import { AlertsModule } from '../../../src/operations/alerts/index.js';
import { HealthModule } from '../../../src/operations/health/index.js';
import { MonitoringModule } from '../../../src/operations/monitoring/index.js';
import { NotificationReplaysModule } from '../../../src/outcomes/notification-replays/index.js';
import { PersonalDataModule } from '../../../src/operations/personal-data/index.js';
import { pluginMigrations, registeredPlugins } from '../../../src/bootstrap/plugin-host/index.js';
import { ProcessLinkModule } from '../../../src/browser/real-time/index.js';
import { WebhooksModule } from '../../../src/outcomes/webhooks/index.js';
import { STORE_SCHEMA } from '../../../src/bootstrap/store-schema.js';
import { SEALED_FIELDS } from '../../../src/bootstrap/sealed-fields.js';

/** The engine without the API: the same modules, on the same store. */
@Module({})
export class DeliveryWorkerModule {
  /** @param clock for tests */
  static forRoot(config: AppConfig, store: Store, clock?: Clock): DynamicModule {
    return {
      module: DeliveryWorkerModule,
      imports: [
        ConfigModule.forRoot(config),
        MongoModule.forRoot(store, STORE_SCHEMA, pluginMigrations()),
        SecretsModule.forRoot(SEALED_FIELDS),
        EventsBusModule,
        clock === undefined ? StoreClockModule : ClockModule.forRoot(clock),
        WakeUpsModule,
        ChannelProvidersModule,
        HttpKitModule,
        HealthModule,
        EngineModule,
        NotificationReplaysModule,
        ActivityModule,
        AlertsModule,
        ProcessLinkModule,
        WebhooksModule,
        PersonalDataModule,
        MonitoringModule,
        ...registeredPlugins(),
      ],
    };
  }
}
