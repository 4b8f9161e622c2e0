import './bootstrap/register-plugins.js';
import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ChannelsModule, type OutboundHttp } from '#libs/channels';
import { type Clock, ClockModule, EventsBusModule } from '#libs/common';
import { AppConfig, ConfigModule } from '#libs/config';
import {
  AllExceptionsFilter,
  BodyInterceptor,
  createValidationPipe,
  EnvelopeInterceptor,
  HttpKitModule,
} from '#libs/http-kit';
import { MongoModule, type Store, StoreClockModule, TestClockModule } from '#libs/persistence';
import { WakeUpsModule } from '#libs/work';
import { SecretsModule } from '#libs/secrets';
import { BudgetDigestsModule } from './engine/budget-digests/index.js';
import { BudgetsModule } from './content/budgets/index.js';
import { SchedulesModule } from './engine/schedules/index.js';
import { ActivityModule } from './outcomes/activity/index.js';
import { AuditInterceptor, AuditLogModule } from './outcomes/audit-log/index.js';
import { AuthModule } from './platform/auth/index.js';
import { CallerGuard } from './http/caller.guard.js';
import { ReadOnlyGuard } from './http/read-only.guard.js';
import { ConditionSecretsModule } from './platform/condition-secrets/index.js';
import { DefinitionsModule } from './content/definitions/index.js';
import { DeliveryModule } from './engine/delivery/index.js';
import { EnvironmentSecretsModule } from './platform/environment-secrets/index.js';
import { EnvironmentsModule } from './platform/environments/index.js';
import { EventsModule } from './engine/events/index.js';
import { ExecutionDetailsModule } from './engine/execution-details/index.js';
import { FeedsModule } from './content/feeds/index.js';
import { HealthModule } from './operations/health/index.js';
import { IdempotencyInterceptor, IdempotencyModule } from './http/idempotency/index.js';
import { InboxModule } from './browser/inbox/index.js';
import { IntegrationsModule } from './channels/integrations/index.js';
import { LayoutsModule } from './content/layouts/index.js';
import { MessagesModule } from './engine/messages/index.js';
import { MonitoringModule } from './operations/monitoring/index.js';
import { NotificationGroupsModule } from './content/notification-groups/index.js';
import { NotificationReplaysModule } from './outcomes/notification-replays/index.js';
import { NotificationsModule } from './outcomes/notifications/index.js';
import { OrganizationsModule } from './platform/organizations/index.js';
import { PersonalDataModule } from './operations/personal-data/index.js';
import { pluginMigrations, registeredPlugins } from './bootstrap/plugin-host/index.js';
import { MailTrackingModule } from './browser/mail-tracking/index.js';
import { PreferencePagesModule } from './browser/preference-pages/index.js';
import { PreferencesModule } from './content/preferences/index.js';
import { PreviewsModule } from './engine/previews/index.js';
import { PromotionsModule } from './content/promotions/index.js';
import { ProviderCallbacksModule } from './outcomes/provider-callbacks/index.js';
import { PushSubscriptionsModule } from './browser/push-subscriptions/index.js';
import { RateLimitGuard, RateLimitsModule } from './http/rate-limits/index.js';
import { RealTimeModule } from './browser/real-time/index.js';
import { SubscriberSessionsModule } from './browser/subscriber-sessions/index.js';
import { CatcherModule } from './operations/catcher/index.js';
import { ChatLinksModule } from './audience/chat-links/index.js';
import { SuppressionsModule } from './content/suppressions/index.js';
import { SubscribersModule } from './audience/subscribers/index.js';
import { TenantsModule } from './audience/tenants/index.js';
import { TranslationsModule } from './content/translations/index.js';
import { TestingModule } from './operations/testing/index.js';
import { TopicsModule } from './audience/topics/index.js';
import { WorkflowOverridesModule } from './content/workflow-overrides/index.js';
import { UsersModule } from './people/users/index.js';
import { WidgetsModule } from './browser/widgets/index.js';
import { WebhooksModule } from './outcomes/webhooks/index.js';
import { WhyModule } from './outcomes/why/index.js';
import { WorkflowsModule } from './content/workflows/index.js';
import { STORE_SCHEMA } from './bootstrap/store-schema.js';
import { SEALED_FIELDS } from './bootstrap/sealed-fields.js';

@Module({
  imports: [
    EventsBusModule,
    WakeUpsModule,
    HttpKitModule,
    AuthModule,
    RateLimitsModule,
    IdempotencyModule,
    OrganizationsModule,
    EnvironmentsModule,
    ConditionSecretsModule,
    EnvironmentSecretsModule,
    NotificationGroupsModule,
    FeedsModule,
    LayoutsModule,
    TranslationsModule,
    TenantsModule,
    TopicsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
    BudgetsModule,
    DefinitionsModule,
    PromotionsModule,
    SubscribersModule,
    ChatLinksModule,
    SubscriberSessionsModule,
    IntegrationsModule,
    UsersModule,
    ExecutionDetailsModule,
    PreferencesModule,
    SuppressionsModule,
    MessagesModule,
    WidgetsModule,
    RealTimeModule,
    PushSubscriptionsModule,
    InboxModule,
    PreferencePagesModule,
    MailTrackingModule,
    ProviderCallbacksModule,
    NotificationsModule,
    NotificationReplaysModule,
    ActivityModule,
    DeliveryModule,
    WebhooksModule,
    WhyModule,
    EventsModule,
    BudgetDigestsModule,
    PreviewsModule,
    PersonalDataModule,
    AuditLogModule,
    MonitoringModule,
    HealthModule,
    SchedulesModule,
    TestingModule,
    CatcherModule,
  ],
  // In the order of execution. No part of a body is read before the guards have admitted the request.
  providers: [
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: ReadOnlyGuard },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
    { provide: APP_PIPE, useFactory: createValidationPipe },
    { provide: APP_FILTER, useClass: AllExceptionsFilter },
  ],
})
export class AppModule {
  /**
   * The application with the values that only the start knows.
   * @param store absent: the module graph is only inspected, no connection is opened
   * @param clock for tests
   * @param http takes the place of the network
   */
  static forRoot(config: AppConfig, store?: Store, clock?: Clock, http?: OutboundHttp): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        store ? MongoModule.forRoot(store, STORE_SCHEMA, pluginMigrations()) : MongoModule.forPreview(),
        SecretsModule.forRoot(SEALED_FIELDS),
        http === undefined ? ChannelsModule : ChannelsModule.with(http),
        clockModule(config, store, clock),
        ...registeredPlugins(),
      ],
    };
  }
}

function clockModule(
  config: AppConfig,
  store: Store | undefined,
  clock: Clock | undefined,
): Required<DynamicModule>['imports'][number] {
  if (store === undefined || clock !== undefined) return ClockModule.forRoot(clock);
  return config.get('TEST_CLOCK') === 'on' ? TestClockModule : StoreClockModule;
}
