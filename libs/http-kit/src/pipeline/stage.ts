import { DiscoveryService } from '@nestjs/core';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import type { CallerKind, RoutePlan } from './route-plan.js';

/** A result of an earlier request that stands in for the handler's. */
export class StandIn {
  constructor(
    readonly status: number,
    readonly value: unknown,
  ) {}
}

type Ends = StandIn | undefined | void;

/**
 * The work of a stage for one request. Returns a promise only if it has to wait, because a promise costs every request.
 * @throws to refuse the request
 */
export type Step = (request: HttpRequest, reply: HttpReply) => Ends | Promise<Ends>;

/** One stage on the way to the handlers, such as the rate limits. */
export interface Stage {
  /** Makes the step for the requests of one route, when the application starts; undefined if the route needs none. */
  stepFor(plan: RoutePlan): Step | undefined;
}

/**
 * Where a stage works: it identifies callers of one kind, it admits identified callers before their body is read, or it
 * works directly before the handler.
 */
export type Place = { readonly identifies: CallerKind } | { readonly at: 'admission' | 'handler' };

/**
 * Makes a provider a stage of the pipeline, which finds it.
 * @example
 * @PipelineStage({ at: 'admission' })
 * export class RateLimitStage implements Stage {
 */
export const PipelineStage = DiscoveryService.createDecorator<Place>();
