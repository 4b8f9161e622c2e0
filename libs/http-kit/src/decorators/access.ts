import { applyDecorators, CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { KeyScope } from '#libs/common';

export const IS_PUBLIC = Symbol('public route');

/** Exempts a route from the API key guard. A test pins the list of public routes. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(IS_PUBLIC, true);

export const NEEDED_SCOPE = Symbol('needed scope');
/** Where the OpenAPI document names the scope of an operation. */
export const SCOPE_EXTENSION = 'x-herald-scope';

const BY_METHOD: Readonly<Record<string, KeyScope>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** The scope that an API key must have for a route. Without it {@link scopeOfMethod} decides; a test pins the scope of each route. */
export const NeedsScope = (scope: KeyScope): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(NEEDED_SCOPE, scope), ApiExtension(SCOPE_EXTENSION, scope));

/** The scope of a route that declares none: reading needs `read`, changing `write`, unknown methods `admin`. */
export function scopeOfMethod(method: string): KeyScope {
  return BY_METHOD[method.toUpperCase()] ?? 'admin';
}
