import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { InProcessWakeUps } from './in-process-wake-ups.js';
import { WakeUps } from './wake-ups.js';

@Injectable()
class WakeUpsShutdown implements OnApplicationShutdown {
  constructor(private readonly wakeUps: WakeUps) {}

  onApplicationShutdown(): Promise<void> {
    return this.wakeUps.close();
  }
}

/** Provides {@link WakeUps}: over BullMQ where REDIS_URL is set, else within the process. */
@Global()
@Module({
  providers: [
    {
      provide: WakeUps,
      inject: [AppConfig],
      useFactory: async (config: AppConfig): Promise<WakeUps> => {
        const url = config.get('REDIS_URL');
        if (url === undefined) return new InProcessWakeUps();
        // Loaded only where it is used: it would cost every other start some time.
        const { BullMqWakeUps } = await import('./bullmq-wake-ups.js');
        return new BullMqWakeUps(url);
      },
    },
    WakeUpsShutdown,
  ],
  exports: [WakeUps],
})
export class QueueModule {}
