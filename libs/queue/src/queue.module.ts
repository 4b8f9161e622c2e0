import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { InProcessWakeUps } from './in-process-wake-ups.js';
import { WakeUps } from './wake-ups.js';

@Injectable()
class WakeUpsShutdown implements OnApplicationShutdown {
  constructor(private readonly wakeUps: WakeUps) {}

  onApplicationShutdown(): Promise<void> {
    return this.wakeUps.close();
  }
}

/** Provides {@link WakeUps}. */
@Global()
@Module({
  providers: [{ provide: WakeUps, useFactory: () => new InProcessWakeUps() }, WakeUpsShutdown],
  exports: [WakeUps],
})
export class QueueModule {}
