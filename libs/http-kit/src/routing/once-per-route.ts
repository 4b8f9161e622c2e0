import type { ExecutionContext, Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';

export interface RouteHandler {
  readonly controller: Type<unknown>;
  readonly handler: ReturnType<ExecutionContext['getHandler']>;
  /** Name of the method. */
  readonly name: string;
}

const scanner = new MetadataScanner();

/** Computed at the first request of a route. Several controllers may inherit a handler. */
export function oncePerRoute<T>(compute: (route: RouteHandler) => T): (context: ExecutionContext) => T {
  const known = new WeakMap<object, Map<Type<unknown>, T>>();
  return (context) => {
    const handler = context.getHandler();
    const controller = context.getClass<unknown>();
    let ofHandler = known.get(handler);
    if (ofHandler === undefined) known.set(handler, (ofHandler = new Map<Type<unknown>, T>()));
    const found = ofHandler.get(controller);
    if (found !== undefined) return found;
    const computed = compute({ controller, handler, name: nameOf(handler, controller) });
    ofHandler.set(controller, computed);
    return computed;
  };
}

/** A decorator may have replaced the method by a function of another name. */
function nameOf(handler: RouteHandler['handler'], { prototype }: Type<unknown>): string {
  const methods = prototype as Readonly<Record<string, unknown>>;
  return scanner.getAllMethodNames(methods).find((name) => methods[name] === handler) ?? handler.name;
}
