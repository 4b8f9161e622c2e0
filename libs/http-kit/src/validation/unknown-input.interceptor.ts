import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { AppConfig } from '#libs/config';
import { ValidationFailed } from '../errors/common.errors.js';
import { type Fields, fieldsOf, unknownFields } from './known-fields.js';
import { WARNING_HEADER, warningOf } from './warning-header.js';

/** What a handler reads; undefined if it may read anything. */
interface Reads {
  readonly body: Fields | undefined;
  readonly query: Fields | undefined;
}

interface RouteArgument {
  readonly index: number;
  readonly data?: unknown;
}

const NOTHING: Fields = {};
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Names fields and query parameters that no handler reads in a header, or rejects them if STRICT_INPUT is set. A typo
 * in an optional name would otherwise look like success.
 */
@Injectable()
export class UnknownInputInterceptor implements NestInterceptor {
  private readonly isStrict: boolean;
  private readonly known = new WeakMap<object, Map<string, Reads>>();

  constructor(config: AppConfig) {
    this.isStrict = config.get('STRICT_INPUT');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const reads = this.readsOf(context.getClass(), context.getHandler().name);
    const query = reads.query === undefined ? [] : unknownFields(request.query, reads.query);
    const hasBody = reads.body !== undefined && (reads.body !== NOTHING || WITH_BODY.has(request.method));
    const body = hasBody ? unknownFields(request.body, reads.body ?? NOTHING) : [];
    if (query.length + body.length > 0) this.tell(body, query, context.switchToHttp().getResponse<Response>());
    return next.handle();
  }

  private tell(body: readonly string[], query: readonly string[], response: Response): void {
    response.setHeader(WARNING_HEADER, warningOf(body, query));
    if (!this.isStrict) return;
    throw new ValidationFailed([
      ...body.map((path) => `${path} is not a field of this request. Correct its name or leave it out`),
      ...query.map((name) => `${name} is not a query parameter of this route. Correct its name or leave it out`),
    ]);
  }

  private readsOf(type: Type<unknown>, method: string): Reads {
    const ofType = this.known.get(type) ?? new Map<string, Reads>();
    this.known.set(type, ofType);
    const reads = ofType.get(method) ?? findReads(type, method);
    ofType.set(method, reads);
    return reads;
  }
}

/** Derives body and query of a handler from the metadata of its parameters. */
function findReads(type: Type<unknown>, method: string): Reads {
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
