import { type DynamicModule, Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { ChannelRegistry } from './core/channel-registry.js';
import { createChannelRegistry } from './create-channel-registry.js';
import { createOutboundHttp } from './http/outbound-http.js';
import { OutboundHttp } from './http/outbound-http.types.js';

@Injectable()
class ChannelsShutdown implements OnApplicationShutdown {
  constructor(private readonly channels: ChannelRegistry) {}

  onApplicationShutdown(): Promise<void> {
    return this.channels.close();
  }
}

/** One {@link OutboundHttp} and one {@link ChannelRegistry} per process, closed at shutdown. */
@Global()
@Module({
  providers: [
    {
      provide: OutboundHttp,
      inject: [AppConfig],
      useFactory: (config: AppConfig): OutboundHttp =>
        createOutboundHttp({
          allowPrivateUrls: config.get('ALLOW_PRIVATE_URLS'),
          privateHosts: config.get('PRIVATE_HOSTS'),
        }),
    },
    {
      provide: ChannelRegistry,
      inject: [AppConfig, Clock, OutboundHttp],
      useFactory: (config: AppConfig, clock: Clock, http: OutboundHttp): ChannelRegistry =>
        createChannelRegistry({
          http,
          now: () => clock.now(),
          allowPrivateUrls: config.get('ALLOW_PRIVATE_URLS'),
          privateHosts: config.get('PRIVATE_HOSTS'),
          baseUrls: config.get('PROVIDER_BASE_URLS'),
          helloName: config.get('SMTP_HELLO_NAME'),
        }),
    },
    ChannelsShutdown,
  ],
  exports: [OutboundHttp, ChannelRegistry],
})
export class ChannelProvidersModule {
  /** The same module with another way out, for a process that must reach nobody. */
  static with(http: OutboundHttp): DynamicModule {
    return { module: ChannelProvidersModule, providers: [{ provide: OutboundHttp, useValue: http }] };
  }
}
