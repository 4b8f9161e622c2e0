import { Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { Rendering } from '#libs/templates';

/** Ends the threads, whatever is under way in them: what was not finished is taken up again. */
@Injectable()
class RenderingShutdown implements OnApplicationShutdown {
  constructor(private readonly rendering: Rendering) {}

  onApplicationShutdown(): Promise<void> {
    return this.rendering.close();
  }
}

/** Provides {@link Rendering}: one for the process, with its threads. */
@Module({
  providers: [
    {
      provide: Rendering,
      inject: [AppConfig],
      useFactory: (config: AppConfig): Rendering =>
        new Rendering({ workers: config.get('RENDER_WORKERS'), deadlineMs: config.get('RENDER_TIMEOUT_MS') }),
    },
    RenderingShutdown,
  ],
  exports: [Rendering],
})
export class RenderingModule {}
