import { applyDecorators, CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { KeyScope } from '#libs/common';

export const IS_PUBLIC = Symbol('public route');

/** A test pins the list of public routes. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(IS_PUBLIC, true);

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

/** Reading needs `read`, changing `write`, unknown methods `admin`. */
export function scopeOfMethod(method: string): KeyScope {
  return BY_METHOD[method.toUpperCase()] ?? 'admin';
}
