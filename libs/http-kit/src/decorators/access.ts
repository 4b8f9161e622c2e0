import { applyDecorators, CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { KeyScope } from '#libs/common';

export const IS_PUBLIC = Symbol('public route');

export interface PublicOptions {
  /** Bytes. Absent: no JSON body is read. */
  readonly maxBodyBytes?: number;
}

/** A test pins the list of public routes. */
export const Public = (options: PublicOptions = {}): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(IS_PUBLIC, options), ApiSecurity({}));

export const FOR_SUBSCRIBERS = Symbol('route for subscribers');
/** Name of the security scheme in the OpenAPI document. */
export const SUBSCRIBER_SECURITY = 'SubscriberToken';

export interface ForSubscribersOptions {
  /** Accepts a single-request ticket as the query parameter `ticket`, for clients that cannot send headers. */
  readonly ticketInQuery?: boolean;
}

/** The routes take a subscriber's session token and reject API keys. */
export const ForSubscribers = (options: ForSubscribersOptions = {}): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(FOR_SUBSCRIBERS, options), ApiBearerAuth(SUBSCRIBER_SECURITY));

export const NEEDED_SCOPE = Symbol('needed scope');
/** Names the scope of an operation in the OpenAPI document. */
export const SCOPE_EXTENSION = 'x-herald-scope';

const BY_METHOD: Readonly<Record<string, KeyScope>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** The scope that a route needs; {@link scopeOfMethod} by default. A test pins the scope of each route. */
export const NeedsScope = (scope: KeyScope): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(NEEDED_SCOPE, scope), ApiExtension(SCOPE_EXTENSION, scope));

export const FOR_AGENTS = Symbol('route for agents');

/** The routes take API keys, those of agents as well, which no other route takes, and no people. */
export const ForAgents = (): CustomDecorator<symbol> => SetMetadata(FOR_AGENTS, true);

export const WITHOUT_SECOND_FACTOR = Symbol('open without the second factor');
/** Marks such an operation in the OpenAPI document. */
export const NO_FACTOR_EXTENSION = 'x-herald-without-second-factor';

/** Open to people who have yet to set up the second factor that Herald demands. A test pins the list. */
export const WithoutSecondFactor = (): MethodDecorator =>
  applyDecorators(SetMetadata(WITHOUT_SECOND_FACTOR, true), ApiExtension(NO_FACTOR_EXTENSION, true));

export const STRICT_INPUT = Symbol('refuses unknown input');

/** The route refuses fields and parameters that it does not know, as all do with the setting STRICT_INPUT: a typo would do harm. */
export const StrictInput = (): CustomDecorator<symbol> => SetMetadata(STRICT_INPUT, true);

/** Reading needs `read`, changing `write`, unknown methods `admin`. */
export function scopeOfMethod(method: string): KeyScope {
  return BY_METHOD[method.toUpperCase()] ?? 'admin';
}
