import { Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { Rendering } from '#libs/templates';

/** May interrupt rendering: unfinished steps are run again. */
@Injectable()
class RenderingShutdown implements OnApplicationShutdown {
  constructor(private readonly rendering: Rendering) {}

  onApplicationShutdown(): Promise<void> {
    return this.rendering.close();
  }
}

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
