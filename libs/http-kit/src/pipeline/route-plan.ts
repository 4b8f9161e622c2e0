import type { Type } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { KeyScope } from '#libs/common';
import {
  FOR_SUBSCRIBERS,
  type ForSubscribersOptions,
  IS_PUBLIC,
  NEEDED_SCOPE,
  type PublicOptions,
  scopeOfMethod,
  STRICT_INPUT,
} from '../decorators/access.js';

/** Who may call a route. For each kind but `anyone` a stage identifies the callers. */
export type CallerKind = 'anyone' | 'api-key' | 'subscriber';

/** What is known of a route before its first request. */
export interface RoutePlan {
  /** Upper case. */
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly caller: CallerKind;
  /** Whether a ticket for one request may stand in the query parameter `ticket` instead of the token of a subscriber. */
  readonly takesTicketInQuery: boolean;
  /** Size limit of the JSON body of a public route in bytes; undefined if the pipeline reads none. */
  readonly publicBodyBytes: number | undefined;
  /** The scope that an API key needs. */
  readonly scope: KeyScope;
  /** Whether it refuses unknown fields and parameters, whatever the settings say. */
  readonly isStrict: boolean;
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
  const open = reflector.getAllAndOverride<PublicOptions | undefined>(IS_PUBLIC, declared);
  const forSubscribers = reflector.getAllAndOverride<ForSubscribersOptions | undefined>(FOR_SUBSCRIBERS, declared);
  const scope = reflector.getAllAndOverride<KeyScope | undefined>(NEEDED_SCOPE, declared);
  return {
    ...route,
    caller: open !== undefined ? 'anyone' : forSubscribers !== undefined ? 'subscriber' : 'api-key',
    takesTicketInQuery: forSubscribers?.ticketInQuery === true,
    publicBodyBytes: open?.maxBodyBytes,
    isStrict: reflector.getAllAndOverride<boolean | undefined>(STRICT_INPUT, declared) === true,
    scope: scope ?? scopeOfMethod(route.method),
    controller,
    handler,
  };
}
