import { type DynamicModule, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { AppLogger } from '#libs/http-kit';
import type { PluginMigrations } from '#libs/persistence';
import type { Listener } from '../plugin-api/index.js';
import { registeredPlugins } from './register-plugin.js';

/** Logs errors of listeners: the event itself is stored. */
@Injectable()
class PluginListeners implements OnApplicationBootstrap {
  constructor(
    private readonly emitter: EventEmitter2,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name, listeners = [] } of registeredPlugins()) {
      for (const listener of listeners) {
        this.emitter.on(listener.event.name, (event: object) => void this.call(name, listener, event));
      }
    }
  }

  private async call(plugin: string, listener: Listener, event: object): Promise<void> {
    try {
      await listener.handle(event);
    } catch (err) {
      this.logger.event('error', `A listener of the plugin '${plugin}' failed.`, { err, event: listener.event.name });
    }
  }
}

@Module({})
export class PluginHostModule {
  static forRoot(): DynamicModule {
    const plugins = registeredPlugins();
    return {
      module: PluginHostModule,
      imports: plugins.flatMap(({ modules = [] }) => modules),
      providers: plugins.length > 0 ? [PluginListeners] : [],
    };
  }
}

export function pluginMigrations(): readonly PluginMigrations[] {
  return registeredPlugins().map(({ name, migrations = [] }) => ({ plugin: name, migrations }));
}
