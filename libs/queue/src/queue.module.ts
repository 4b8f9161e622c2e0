import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { InProcessWakeUps } from './in-process-wake-ups.js';
import { RedisWakeUps } from './redis-wake-ups.js';
import { WakeUps } from './wake-ups.js';

@Injectable()
class WakeUpsShutdown implements OnApplicationShutdown {
  constructor(private readonly wakeUps: WakeUps) {}

  onApplicationShutdown(): Promise<void> {
    return this.wakeUps.close();
  }
}

/** Provides {@link WakeUps}: over Redis where REDIS_URL is set, else within the process. */
@Global()
@Module({
  providers: [
    {
      provide: WakeUps,
      inject: [AppConfig],
      useFactory: (config: AppConfig): WakeUps => {
        const url = config.get('REDIS_URL');
        return url === undefined ? new InProcessWakeUps() : new RedisWakeUps(url);
      },
    },
    WakeUpsShutdown,
  ],
  exports: [WakeUps],
})
export class QueueModule {}
