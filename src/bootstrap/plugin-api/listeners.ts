import { OnEvent } from '@nestjs/event-emitter';

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
