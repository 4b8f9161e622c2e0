import './bootstrap/register-plugins.js';
import { DynamicModule, Module } from '@nestjs/common';
import { ChannelProvidersModule, type OutboundHttp } from '#libs/channels';
import { type Clock, ClockModule, EventsBusModule } from '#libs/common';
import { AppConfig, ConfigModule } from '#libs/config';
import { HttpKitModule } from '#libs/http-kit';
import { MongoModule, type Store, StoreClockModule, TestClockModule } from '#libs/persistence';
import { WakeUpsModule } from '#libs/work';
import { SecretsModule } from '#libs/secrets';
import { AudienceModule } from './audience/audience.module.js';
import { BrowserModule } from './browser/browser.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { ContentModule } from './content/content.module.js';
import { EngineModule } from './engine/engine.module.js';
import { ExtensionsModule } from './extensions/extensions.module.js';
import { HttpModule } from './http/http.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OutcomesModule } from './outcomes/outcomes.module.js';
import { PeopleModule } from './people/people.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { V2Module } from './v2/v2.module.js';
import { pluginMigrations, registeredPlugins } from './bootstrap/plugin-host/index.js';
import { STORE_SCHEMA } from './bootstrap/store-schema.js';
import { SEALED_FIELDS } from './bootstrap/sealed-fields.js';

/** What is the same whatever the settings are. */
@Module({
  // Operations with the same tag stand in the API document in this order.
  imports: [
    EventsBusModule,
    WakeUpsModule,
    HttpKitModule,
    PlatformModule,
    ChannelsModule,
    PeopleModule,
    AudienceModule,
    ContentModule,
    OutcomesModule,
    EngineModule,
    BrowserModule,
    OperationsModule,
    V2Module,
    ExtensionsModule,
    HttpModule,
  ],
})
class HeraldModule {}

/** The application with the settings of the environment, as tests import it. */
@Module({
  imports: [
    HeraldModule,
    ConfigModule,
    MongoModule.forSettings(STORE_SCHEMA, pluginMigrations()),
    SecretsModule.forRoot(SEALED_FIELDS),
    ChannelProvidersModule,
    StoreClockModule,
    ...registeredPlugins(),
  ],
})
export class AppModule {
  /**
   * The application with values that the program has already: it opens the store while it loads this file.
   * @param store absent: the module graph is only inspected, no connection is opened
   * @param clock for tests
   * @param http takes the place of the network
   */
  static forRoot(config: AppConfig, store?: Store, clock?: Clock, http?: OutboundHttp): DynamicModule {
    return {
      module: HeraldModule,
      imports: [
        ConfigModule.forRoot(config),
        store ? MongoModule.forRoot(store, STORE_SCHEMA, pluginMigrations()) : MongoModule.forPreview(),
        SecretsModule.forRoot(SEALED_FIELDS),
        http === undefined ? ChannelProvidersModule : ChannelProvidersModule.with(http),
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
