import './register-plugins.js';
import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ChannelsModule } from '#libs/channels';
import { type Clock, ClockModule, EventsBusModule } from '#libs/common';
import { AppConfig, ConfigModule } from '#libs/config';
import {
  AllExceptionsFilter,
  BodyInterceptor,
  createValidationPipe,
  EnvelopeInterceptor,
  HttpKitModule,
} from '#libs/http-kit';
import { MongoModule, type Store, StoreClockModule } from '#libs/persistence';
import { WakeUpsModule } from '#libs/work';
import { SecretsModule } from '#libs/secrets';
import { ActivityModule } from './activity/index.js';
import { AuthModule } from './auth/index.js';
import { CallerGuard } from './callers/index.js';
import { ConditionSecretsModule } from './condition-secrets/index.js';
import { DefinitionsModule } from './definitions/index.js';
import { DeliveryModule } from './delivery/index.js';
import { EnvironmentsModule } from './environments/index.js';
import { EventsModule } from './events/index.js';
import { ExecutionDetailsModule } from './execution-details/index.js';
import { FeedsModule } from './feeds/index.js';
import { HealthModule } from './health/index.js';
import { IdempotencyInterceptor, IdempotencyModule } from './idempotency/index.js';
import { InboxModule } from './inbox/index.js';
import { IntegrationsModule } from './integrations/index.js';
import { LayoutsModule } from './layouts/index.js';
import { MessagesModule } from './messages/index.js';
import { MonitoringModule } from './monitoring/index.js';
import { NotificationGroupsModule } from './notification-groups/index.js';
import { NotificationReplaysModule } from './notification-replays/index.js';
import { NotificationsModule } from './notifications/index.js';
import { OrganizationsModule } from './organizations/index.js';
import { PersonalDataModule } from './personal-data/index.js';
import { PluginHostModule, pluginMigrations } from './plugin-host/index.js';
import { PreferencesModule } from './preferences/index.js';
import { PreviewsModule } from './previews/index.js';
import { ProviderCallbacksModule } from './provider-callbacks/index.js';
import { PushSubscriptionsModule } from './push-subscriptions/index.js';
import { RateLimitGuard, RateLimitsModule } from './rate-limits/index.js';
import { RealTimeModule } from './real-time/index.js';
import { SubscriberSessionsModule } from './subscriber-sessions/index.js';
import { SubscribersModule } from './subscribers/index.js';
import { TenantsModule } from './tenants/index.js';
import { TopicsModule } from './topics/index.js';
import { WorkflowOverridesModule } from './workflow-overrides/index.js';
import { WidgetsModule } from './widgets/index.js';
import { WebhooksModule } from './webhooks/index.js';
import { WorkflowsModule } from './workflows/index.js';
import { MIGRATIONS } from './migrations.js';
import { SEALED_FIELDS } from './sealed-fields.js';

@Module({
  imports: [
    EventsBusModule,
    WakeUpsModule,
    ChannelsModule,
    HttpKitModule,
    AuthModule,
    RateLimitsModule,
    IdempotencyModule,
    OrganizationsModule,
    EnvironmentsModule,
    ConditionSecretsModule,
    NotificationGroupsModule,
    FeedsModule,
    LayoutsModule,
    TenantsModule,
    TopicsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
    DefinitionsModule,
    SubscribersModule,
    SubscriberSessionsModule,
    IntegrationsModule,
    ExecutionDetailsModule,
    PreferencesModule,
    MessagesModule,
    WidgetsModule,
    RealTimeModule,
    PushSubscriptionsModule,
    InboxModule,
    ProviderCallbacksModule,
    NotificationsModule,
    NotificationReplaysModule,
    ActivityModule,
    DeliveryModule,
    WebhooksModule,
    EventsModule,
    PreviewsModule,
    PersonalDataModule,
    MonitoringModule,
    HealthModule,
  ],
  // In the order of execution. No part of a body is read before the guards have admitted the request.
  providers: [
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_PIPE, useFactory: createValidationPipe },
    { provide: APP_FILTER, useClass: AllExceptionsFilter },
  ],
})
export class AppModule {
  /**
   * The application with the values that only the start knows.
   * @param store absent: the module graph is only inspected, no connection is opened
   * @param clock for tests
   */
  static forRoot(config: AppConfig, store?: Store, clock?: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        store ? MongoModule.forRoot(store, MIGRATIONS, pluginMigrations()) : MongoModule.forPreview(),
        SecretsModule.forRoot(SEALED_FIELDS),
        store !== undefined && clock === undefined ? StoreClockModule : ClockModule.forRoot(clock),
        PluginHostModule.forRoot(),
      ],
    };
  }
}
