import type { OnApplicationBootstrap } from '@nestjs/common';
import { type EventEmitter2, OnEvent } from '@nestjs/event-emitter';
import type { AppLogger } from '#libs/http-kit';

type EventClass<E extends object> = abstract new (...args: never[]) => E;

/** A function that is called after each event of one class. */
export interface Listener {
  readonly event: EventClass<object>;
  handle(event: object): unknown;
}

/**
 * Calls a function in the process in which the event happened, after the change was stored. An error is logged and changes
 * nothing. A process that ends abruptly may have stored the change and not called the listener.
 */
export function listenTo<E extends object>(event: EventClass<E>, handle: (event: E) => unknown): Listener {
  return { event, handle: (published) => handle(published as E) };
}

/** As {@link listenTo}, for a method of a provider of a module. */
export function OnHeraldEvent<E extends object>(event: EventClass<E>): MethodDecorator {
  return OnEvent(event.name);
}

/** Calls the listeners of one plugin. */
export class PluginListeners implements OnApplicationBootstrap {
  constructor(
    private readonly plugin: string,
    private readonly listeners: readonly Listener[],
    private readonly emitter: EventEmitter2,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    for (const listener of this.listeners) {
      this.emitter.on(listener.event.name, (event: object) => void this.call(listener, event));
    }
  }

  private async call(listener: Listener, event: object): Promise<void> {
    try {
      await listener.handle(event);
    } catch (err) {
      const { plugin } = this;
      this.logger.event('error', `A listener of the plugin '${plugin}' failed.`, { err, event: listener.event.name });
    }
  }
}
