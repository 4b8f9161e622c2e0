import { Global, Injectable, Module } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { inTenantScope } from './tenant-scope.js';

/** An instance of a small readonly class; the class name identifies the event. */
type EventClass<E extends object> = abstract new (...args: never[]) => E;

/** Within this process, after the change is stored. */
@Injectable()
export class EventBus {
  constructor(private readonly emitter: EventEmitter2) {}

  /** Waits for all listeners, which act for the tenant of the event, if it has one. Their errors reach the publisher. */
  async publish(event: object): Promise<void> {
    await inTenantScope(event, () => this.emitter.emitAsync(event.constructor.name, event));
  }
}

export function OnDomainEvent<E extends object>(event: EventClass<E>): MethodDecorator {
  return OnEvent(event.name, { suppressErrors: false });
}

@Global()
@Module({ imports: [EventEmitterModule.forRoot()], providers: [EventBus], exports: [EventBus] })
export class EventsBusModule {}
