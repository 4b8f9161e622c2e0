import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { InProcessWakeUps, WakeUps } from './wake-ups.js';

@Injectable()
class WakeUpsShutdown implements OnApplicationShutdown {
  constructor(private readonly wakeUps: WakeUps) {}

  onApplicationShutdown(): Promise<void> {
    return this.wakeUps.close();
  }
}

/** Provides {@link WakeUps}: through Redis if REDIS_URL is set, otherwise within the process. */
@Global()
@Module({
  providers: [
    {
      provide: WakeUps,
      inject: [AppConfig],
      useFactory: async (config: AppConfig): Promise<WakeUps> => {
        const url = config.get('REDIS_URL');
        if (url === undefined) return new InProcessWakeUps();
        // Loaded on demand, to keep other starts fast.
        const { RedisWakeUps } = await import('./redis-wake-ups.js');
        return new RedisWakeUps(url);
      },
    },
    WakeUpsShutdown,
  ],
  exports: [WakeUps],
})
export class WakeUpsModule {}
