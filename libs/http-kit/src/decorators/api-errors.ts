import { STATUS_CODES } from 'node:http';
import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { DefinedError } from '../errors/define-error.js';
import { ErrorBody } from '../errors/error-body.response.js';

const DECLARED = Symbol('declared errors');

/** A number is a status without a code, as plugins of older versions declare it. */
type Declared = DefinedError | number;

/**
 * Documents the errors that a route throws, or all routes of a controller. What follows from the route itself (invalid
 * input, missing rights, rate limits, an unavailable store) is added to every route.
 * @example
 * @ApiErrors(FeedInUse, FeedNotFound)
 */
export function ApiErrors(...errors: readonly Declared[]): MethodDecorator & ClassDecorator {
  return (target: object, _method?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const handlers = descriptor === undefined ? handlersOf(target as Type<unknown>) : [descriptor.value as object];
    for (const handler of handlers) declare(handler, errors);
  };
}

function handlersOf({ prototype }: Type<unknown>): object[] {
  const members = Object.values(Object.getOwnPropertyDescriptors(prototype as object)).map(
    ({ value }) => value as unknown,
  );
  return members.filter(
    (member) => typeof member === 'function' && Reflect.hasMetadata(PATH_METADATA, member),
  ) as object[];
}

/** Documents the errors besides those that were declared before. */
function declare(handler: object, errors: readonly Declared[]): void {
  const declared = new Set([...((Reflect.getMetadata(DECLARED, handler) as Declared[] | undefined) ?? []), ...errors]);
  Reflect.defineMetadata(DECLARED, [...declared], handler);
  for (const status of new Set([...declared].map(statusOf))) {
    const ofStatus = [...declared].filter((error) => statusOf(error) === status);
    const content = {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorBody) },
        examples: examplesOf(ofStatus.filter((error) => typeof error !== 'number')),
      },
    };
    const respond = ApiResponse({ status, description: STATUS_CODES[status] ?? 'Error', content });
    respond(handler, '', { value: handler });
  }
}

const statusOf = (error: Declared): number => (typeof error === 'number' ? error : error.status);

/** By code; further errors with the same code are numbered. */
function examplesOf(errors: readonly DefinedError[]): Record<string, { value: object }> {
  const examples: Record<string, { value: object }> = {};
  for (const { status, code, exampleText, exampleHint } of errors) {
    const earlier = Object.keys(examples).filter((name) => name.replace(/_\d+$/, '') === code).length;
    const hint = exampleHint?.();
    const value = {
      statusCode: status,
      message: exampleText(),
      error: STATUS_CODES[status] ?? 'Error',
      code,
      ...(hint !== undefined && { hint }),
    };
    examples[earlier === 0 ? code : `${code}_${earlier + 1}`] = { value };
  }
  return examples;
}
