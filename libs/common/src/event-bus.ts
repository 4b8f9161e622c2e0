import { Global, Injectable, Module } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';

/** A domain event is an instance of a small readonly class, whose name identifies the event. */
type EventClass<E extends object> = abstract new (...args: never[]) => E;

/** Publishes domain events to other modules of this process after the change is stored. */
@Injectable()
export class EventBus {
  constructor(private readonly emitter: EventEmitter2) {}

  /** Calls all listeners and waits for them. An error of a listener reaches the publisher. */
  async publish(event: object): Promise<void> {
    await this.emitter.emitAsync(event.constructor.name, event);
  }
}

export function OnDomainEvent<E extends object>(event: EventClass<E>): MethodDecorator {
  return OnEvent(event.name, { suppressErrors: false });
}

@Global()
@Module({ imports: [EventEmitterModule.forRoot()], providers: [EventBus], exports: [EventBus] })
export class EventsBusModule {}
