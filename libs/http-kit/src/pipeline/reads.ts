import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type Fields, fieldsOf } from '../validation/known-fields.js';

/** What a handler reads; undefined if it may read anything. */
export interface Reads {
  readonly body: Fields | undefined;
  readonly query: Fields | undefined;
}

interface RouteArgument {
  readonly index: number;
  readonly data?: unknown;
}

export const NO_FIELDS: Fields = {};

/** Derives body and query of a handler from the metadata of its parameters. */
export function readsOf(type: Type<unknown>, method: string): Reads {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Record<string, RouteArgument>;
  const classes = (Reflect.getMetadata('design:paramtypes', type.prototype as object, method) ?? []) as unknown[];
  const reads: { body: Fields | undefined; query: Fields | undefined } = { body: NO_FIELDS, query: NO_FIELDS };
  for (const [key, { index, data }] of Object.entries(parameters)) {
    const kind = Number(key.split(':', 1)[0]);
    if (kind === (RouteParamtypes.REQUEST as number)) return { body: undefined, query: undefined };
    if (kind === (RouteParamtypes.RAW_BODY as number)) reads.body = undefined;
    const place = kind === (RouteParamtypes.BODY as number) ? 'body' : 'query';
    if (place === 'query' && kind !== (RouteParamtypes.QUERY as number)) continue;
    reads[place] = typeof data === 'string' ? { ...reads[place], [data]: true } : fieldsOfClass(classes[index]);
  }
  return reads;
}

function fieldsOfClass(type: unknown): Fields | undefined {
  if (typeof type !== 'function' || type === Object) return undefined;
  const fields = fieldsOf(type as Type<unknown>);
  return Object.keys(fields).length > 0 ? fields : undefined;
}
