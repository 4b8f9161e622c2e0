import fastifyStatic from '@fastify/static';
import { FastifyAdapter as NestFastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, HTTPMethods, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { inTenantScope } from '#libs/common';
import type { AppConfig } from '#libs/config';
import {
  type HttpReply,
  type HttpRequest,
  parseQuery,
  requestIdOf,
  restoreParameters,
  routableUrl,
} from '../request/http-request.js';
import {
  closeInTime,
  type Entry,
  type HttpPlatform,
  type PlatformHandler,
  type ServedRoute,
  type StaticFolder,
} from './http-platform.js';

/** The router rejects longer parameters; request lines are shorter anyway. */
const MAX_PARAMETER_LENGTH = 16_384;
const FIELDS_OF_REQUESTS = ['tenant', 'subscriber', 'traceparent', 'bodyDigest'] as const;
/** Swagger UI names only the types of its texts. */
const SWAGGER_UI = /^\/api(\/|$)/;

function refuseSchema(): never {
  throw new Error('Declare the input of a route by a DTO; schemas of Fastify are not compiled.');
}

/** Packages recognize the platform by this class name. */
export class FastifyAdapter extends NestFastifyAdapter implements HttpPlatform {
  private entry: Entry | undefined;
  private readonly served: ServedRoute[] = [];
  private hasMiddleware = false;

  constructor(config: AppConfig) {
    super({
      routerOptions: {
        caseSensitive: false,
        ignoreTrailingSlash: true,
        maxParamLength: MAX_PARAMETER_LENGTH,
        querystringParser: parseQuery,
      },
      trustProxy: config.get('TRUST_PROXY'),
      rewriteUrl: routableUrl,
      genReqId: requestIdOf,
      return503OnClosing: false,
      // Routes have no schemas of Fastify's: DTOs validate. Its compilers would be loaded for nothing.
      schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
      frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
        const asked = asRequest(request);
        if (this.entry?.admits(asked, reply) === true) this.entry.refuseUnreadable(asked, reply);
      },
    });
    const server = this.getInstance();
    // An interceptor reads bodies once the caller is known.
    for (const method of server.supportedMethods) {
      server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
    }
    for (const field of FIELDS_OF_REQUESTS) server.decorateRequest(field, undefined);
    server.addHook('onRoute', (route) => {
      this.served.push(...[route.method].flat().map((method) => ({ method, path: route.url })));
      if (SWAGGER_UI.test(route.url)) route.onSend = [addCharset, ...[route.onSend ?? []].flat()];
    });
    // The first hook of the adapter, before middleware.
    this.setOnRequestHook((request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (this.entry?.admits(asRequest(request), reply) === false) return;
      restoreParameters(request);
      if (this.hasMiddleware) moveHeaders(reply);
      inTenantScope(asRequest(request), done);
    });
  }

  enterThrough(entry: Entry): void {
    this.entry = entry;
  }

  routes(): readonly ServedRoute[] {
    return this.served;
  }

  allowedMethods(path: string): string[] {
    const methods = this.getInstance().supportedMethods as HTTPMethods[];
    return methods.filter((method) => method !== 'HEAD' && this.serves(method, path)).sort();
  }

  getBelow(path: string, handler: PlatformHandler): void {
    this.get(`${path}/*`, handler);
  }

  serveFolder({ root, prefix, before, extensions, isVersioned = false }: StaticFolder): void {
    this.getInstance().register((scope, _options, done) => {
      if (before !== undefined) {
        scope.addHook('onRequest', (request, reply, next) => {
          if (before(asRequest(request), reply)) next();
        });
      }
      scope.register(fastifyStatic, {
        root,
        prefix,
        dotfiles: 'ignore',
        decorateReply: false,
        ...(extensions && { extensions: [...extensions] }),
        ...(isVersioned && { preCompressed: true, maxAge: '1y', immutable: true }),
      });
      done();
    });
  }

  prepare(paths: RegExp, ready: () => Promise<unknown>): void {
    this.getInstance().addHook('onRoute', (route) => {
      if (!paths.test(route.url)) return;
      const others = [route.preHandler ?? []].flat() as preHandlerHookHandler[];
      route.preHandler = [async () => void (await ready()), ...others];
    });
  }

  override close(): Promise<void> {
    return closeInTime(this.getHttpServer(), async () => super.close());
  }

  takeOver(reply: HttpReply): void {
    (reply as unknown as FastifyReply).hijack();
  }

  override createMiddlewareFactory(
    ...args: Parameters<NestFastifyAdapter['createMiddlewareFactory']>
  ): ReturnType<NestFastifyAdapter['createMiddlewareFactory']> {
    this.hasMiddleware = true;
    return super.createMiddlewareFactory(...args);
  }

  override use(...args: unknown[]): ReturnType<NestFastifyAdapter['use']> {
    this.hasMiddleware = true;
    return super.use(...args);
  }

  private serves(method: HTTPMethods, url: string): boolean {
    if (!url.startsWith('/')) return false;
    const route = this.getInstance().findRoute({ method, url });
    // The router matches empty parameters, which the adapter rejects.
    return route !== null && Object.entries(route.params).every(([name, value]) => value !== '' || name === '*');
  }
}

function asRequest(request: FastifyRequest): HttpRequest {
  return request as unknown as HttpRequest;
}

/** Middleware sees Node's response only. It may end it, or set headers that those of a reply would replace. */
function moveHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    reply.removeHeader(name);
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

const addCharset: onSendHookHandler = (_request, reply, payload, done) => {
  const type = String(reply.getHeader('content-type') ?? '');
  if (typeof payload === 'string' && !type.includes('charset')) reply.type(`${type}; charset=utf-8`);
  done(null, payload);
};
