import type { Type } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { KeyScope } from '#libs/common';
import { IS_PUBLIC, NEEDED_SCOPE, scopeOfMethod } from '../decorators/access.js';

/** Who may call a route. For each kind but `anyone` a stage identifies the callers. */
export type CallerKind = 'anyone' | 'api-key';

/** What is known of a route before its first request. */
export interface RoutePlan {
  /** Upper case. */
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly caller: CallerKind;
  /** The scope that a caller needs. */
  readonly scope: KeyScope;
  readonly controller: Type<unknown>;
  /** Name of the handler's method. */
  readonly handler: string;
}

/** A method of a controller that handles requests. */
export interface Endpoint {
  readonly controller: Type<unknown>;
  readonly handler: string;
}

type Metadata = Parameters<Reflector['getAllAndOverride']>[1];

export function planRoute(
  { controller, handler }: Endpoint,
  route: Pick<RoutePlan, 'method' | 'path'>,
  reflector: Reflector,
): RoutePlan {
  const declared: Metadata = [
    (controller.prototype as Record<string, Metadata[number]>)[handler] ?? controller,
    controller,
  ];
  const isPublic = reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, declared) === true;
  const scope = reflector.getAllAndOverride<KeyScope | undefined>(NEEDED_SCOPE, declared);
  return {
    ...route,
    caller: isPublic ? 'anyone' : 'api-key',
    scope: scope ?? scopeOfMethod(route.method),
    controller,
    handler,
  };
}
