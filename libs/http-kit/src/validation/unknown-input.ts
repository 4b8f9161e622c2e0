import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type Fields, fieldsOf, unknownFields } from './known-fields.js';
import { warningOf } from './warning-header.js';

/** Undefined if the handler may read anything. */
export interface Reads {
  readonly body: Fields | undefined;
  readonly query: Fields | undefined;
}

interface SentInput {
  readonly method: string;
  readonly url: string;
  readonly query: unknown;
  readonly body?: unknown;
}

interface RouteArgument {
  readonly index: number;
  readonly data?: unknown;
}

const NOTHING: Fields = {};
const NONE: readonly string[] = [];
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

export interface Warnings {
  /** Value of the header `Herald-Warning`. */
  readonly header: string;
  /** One text for each name, for servers that reject them. */
  readonly faults: readonly string[];
}

/**
 * A typo in an optional name would otherwise look like success.
 * @returns undefined if everything is known
 */
export function warningsOf(reads: Reads, request: SentInput): Warnings | undefined {
  const hasQuery = reads.query !== undefined && request.url.includes('?');
  const query = hasQuery ? unknownFields(request.query, reads.query ?? NOTHING) : NONE;
  const hasBody = reads.body !== undefined && (reads.body !== NOTHING || WITH_BODY.has(request.method));
  const body = hasBody ? unknownFields(request.body, reads.body ?? NOTHING) : NONE;
  if (query.length + body.length === 0) return undefined;
  return {
    header: warningOf(body, query),
    faults: [
      ...body.map((path) => `${path} is not a field of this request. Correct its name or leave it out`),
      ...query.map((name) => `${name} is not a query parameter of this route. Correct its name or leave it out`),
    ],
  };
}

/** From the metadata of the handler's parameters. */
export function readsOf(type: Type<unknown>, method: string): Reads {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Record<string, RouteArgument>;
  const classes = (Reflect.getMetadata('design:paramtypes', type.prototype as object, method) ?? []) as unknown[];
  const reads: { body: Fields | undefined; query: Fields | undefined } = { body: NOTHING, query: NOTHING };
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
