import { CustomDecorator, SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = Symbol('public route');

/** The only way out of the API key guard. A test pins the list of routes that carry it. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(IS_PUBLIC, true);
