import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { KeyScope } from '#libs/common';
import {
  FOR_SUBSCRIBERS,
  type ForSubscribersOptions,
  IS_PUBLIC,
  NEEDED_SCOPE,
  type PublicOptions,
  STRICT_INPUT,
} from '../decorators/access.js';
import { oncePerRoute, type RouteHandler } from './once-per-route.js';

/** Who may call a route: those with an API key, unless it declares otherwise. */
export type CallerKind = 'anyone' | 'api-key' | 'subscriber';

/** What a route declares about its callers and their input. */
export interface Access {
  readonly caller: CallerKind;
  /** Whether a ticket for one request may stand in the query parameter `ticket` instead of the token of a subscriber. */
  readonly takesTicketInQuery: boolean;
  /** Size limit of the JSON body of a public route in bytes; undefined if the interceptor reads none. */
  readonly publicBodyBytes: number | undefined;
  /** The scope that an API key needs; undefined: that of the method. */
  readonly scope: KeyScope | undefined;
  /** Whether it refuses unknown fields and parameters, whatever the settings say. */
  readonly isStrict: boolean;
}

/** Reads the access decorators of routes. */
@Injectable()
export class RouteAccess {
  readonly of: (context: ExecutionContext) => Access;

  constructor(reflector: Reflector) {
    this.of = oncePerRoute((route) => accessOf(route, reflector));
  }
}

function accessOf({ controller, handler }: RouteHandler, reflector: Reflector): Access {
  const declared = [handler, controller];
  const open = reflector.getAllAndOverride<PublicOptions | undefined>(IS_PUBLIC, declared);
  const forSubscribers = reflector.getAllAndOverride<ForSubscribersOptions | undefined>(FOR_SUBSCRIBERS, declared);
  return {
    caller: open !== undefined ? 'anyone' : forSubscribers !== undefined ? 'subscriber' : 'api-key',
    takesTicketInQuery: forSubscribers?.ticketInQuery === true,
    publicBodyBytes: open?.maxBodyBytes,
    scope: reflector.getAllAndOverride<KeyScope | undefined>(NEEDED_SCOPE, declared),
    isStrict: reflector.getAllAndOverride<boolean | undefined>(STRICT_INPUT, declared) === true,
  };
}
