import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { answer } from '../envelope/answer.js';
import { ErrorAnswers } from '../errors/error-answers.js';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import { hasParameters } from '../request/path-parameters.js';
import { InputStage } from './input.stage.js';
import { type CallerKind, type Endpoint, planRoute, type RoutePlan } from './route-plan.js';
import { PipelineStage, type Stage, StandIn, type Step } from './stage.js';

/** A method, in upper case, and a path with parameters as `:name`. */
export type ServedRoute = Pick<RoutePlan, 'method' | 'path'>;

interface Stages {
  readonly callers: Map<CallerKind, Stage>;
  readonly admission: Stage[];
  readonly handler: Stage[];
}

type Handler = (request: HttpRequest, reply: HttpReply) => unknown;

/**
 * What every request of a controller passes before its handler: identification of the caller, admission (scope, rate
 * limit), input (body, unknown fields), execution (idempotency). The steps of each route are put together once, when it
 * is registered. Modules add stages with `@PipelineStage()`.
 */
@Injectable()
export class Pipeline {
  private readonly served: ServedRoute[] = [];

  constructor(
    private readonly input: InputStage,
    private readonly errors: ErrorAnswers,
    private readonly discovery: DiscoveryService,
    private readonly methods: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** All routes that the server knows, also those without a controller. */
  get routes(): readonly ServedRoute[] {
    return this.served;
  }

  /** Call before routes are registered. @throws {Error} if a route needs callers that no module identifies */
  attach(server: FastifyInstance): void {
    const endpoints = this.endpoints();
    const stages = this.stages();
    const open = new Set(endpoints.keys());
    server.addHook('onRoute', (route) => {
      this.served.push({ method: String(route.method), path: route.url });
      const endpoint = endpoints.get(route.handler.name);
      open.delete(route.handler.name);
      route.handler = this.handlerOf(route, endpoint ? this.stepsOf(endpoint, route, stages) : []);
    });
    server.addHook('onReady', (done) => {
      // A handler that is found under another name would be served without its steps.
      done(open.size === 0 ? undefined : new Error(`Handlers without a route: ${[...open].join(', ')}`));
    });
  }

  /** The handlers of controllers by the names under which the framework registers them. */
  private endpoints(): Map<string, Endpoint> {
    const endpoints = new Map<string, Endpoint>();
    for (const { metatype, name } of this.discovery.getControllers()) {
      const controller = metatype as Type<unknown>;
      const prototype = controller.prototype as Record<string, object>;
      for (const handler of this.methods.getAllMethodNames(prototype)) {
        const method = prototype[handler];
        if (method === undefined || !Reflect.hasMetadata('path', method)) continue;
        if (endpoints.has(`${name}.${handler}`)) throw new Error(`There are two controllers named ${name}.`);
        endpoints.set(`${name}.${handler}`, { controller, handler });
      }
    }
    return endpoints;
  }

  private stages(): Stages {
    const stages: Stages = { callers: new Map(), admission: [], handler: [] };
    for (const wrapper of this.discovery.getProviders({ metadataKey: PipelineStage.KEY })) {
      const place = this.discovery.getMetadataByDecorator(PipelineStage, wrapper);
      const stage = wrapper.instance as Stage;
      if (place === undefined) continue;
      if ('identifies' in place) stages.callers.set(place.identifies, stage);
      else stages[place.at].push(stage);
    }
    return stages;
  }

  private handlerOf({ url, handler }: RouteOptions, steps: readonly Step[]): RouteOptions['handler'] {
    const run = handler as unknown as Handler;
    const { errors } = this;
    return (plain, reply) => {
      const request = plain as HttpRequest;
      if (!hasParameters(request)) return reply.callNotFound();
      request.route = url;
      try {
        const pending = passFrom(0, steps, run, request, reply);
        return pending instanceof Promise
          ? pending.catch((error: unknown) => errors.answer(error, request, reply))
          : undefined;
      } catch (error) {
        return errors.answer(error, request, reply);
      }
    };
  }

  private stepsOf(endpoint: Endpoint, { url, method }: RouteOptions, stages: Stages): Step[] {
    const plan = planRoute(endpoint, { path: url, method: String(method) }, this.reflector);
    const caller = stages.callers.get(plan.caller);
    if (caller === undefined && plan.caller !== 'anyone') {
      throw new Error(`No module identifies the callers (${plan.caller}) of ${plan.method} ${plan.path}.`);
    }
    return [caller, ...stages.admission, this.input, ...stages.handler]
      .map((stage) => stage?.stepFor(plan))
      .filter((step) => step !== undefined);
  }
}

/** Runs the steps from a position on, without a promise where none of them waits. */
function passFrom(
  from: number,
  steps: readonly Step[],
  handler: Handler,
  request: HttpRequest,
  reply: HttpReply,
): unknown {
  for (let at = from; at < steps.length; at++) {
    const ended = steps[at]?.(request, reply);
    if (ended === undefined) continue;
    if (ended instanceof StandIn) return answer(reply.code(ended.status), ended.value);
    return ended.then((standIn) =>
      standIn instanceof StandIn
        ? answer(reply.code(standIn.status), standIn.value)
        : passFrom(at + 1, steps, handler, request, reply),
    );
  }
  return handler(request, reply);
}
