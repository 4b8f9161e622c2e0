import type { FastifyReply, FastifyRequest } from 'fastify';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppConfig } from '#libs/config';
import { answer } from '../envelope/answer.js';
import { UnreadablePath } from '../errors/common.errors.js';
import { ErrorAnswers } from '../errors/error-answers.js';
import { AppLogger } from '../logging/app-logger.js';
import { Pipeline } from '../pipeline/pipeline.js';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import { routableUrl } from '../request/path-parameters.js';
import { parseQuery } from '../request/query.js';
import { requestIdOf } from '../request/request-id.js';
import { answerUnreadableRequests } from '../errors/unreadable-requests.js';
import { limitConnections } from './connection-limits.js';
import { corsOf } from './cors.js';
import { RequestEntry } from './request-entry.js';

/** The router refuses longer parameters; a request line is shorter than this anyway. */
const MAX_PARAMETER_LENGTH = 16_384;

/** How long requests in flight may take when no more are taken. */
const LAST_ANSWERS_MS = 10_000;

/** The framework's adapter, which sends the results of handlers in their envelope. */
export class HttpAdapter extends FastifyAdapter {
  private refuse: (request: HttpRequest, reply: HttpReply) => void = (_request, reply) => void reply.code(400).send();

  constructor(config: AppConfig) {
    super({
      // There is no middleware: the pipeline and the entry of requests do its work.
      skipMiddie: true,
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
      frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        this.refuse(request as HttpRequest, reply),
    });
    const server = this.getInstance();
    // Bodies are left unread until the caller is known: the pipeline reads them.
    for (const method of server.supportedMethods) {
      server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
    }
    for (const field of ['route', 'tenant', 'subscriber', 'traceparent', 'bodyDigest', 'outcome'])
      server.decorateRequest(field, undefined);
  }

  override reply(reply: HttpReply, value: unknown, status?: number): HttpReply {
    const sent = answer(status === undefined ? reply : reply.code(status), value);
    // The framework awaits what this returns, so that a fault here reaches its exception filters.
    return sent as unknown as HttpReply;
  }

  override async close(): Promise<void> {
    const timer = setTimeout(() => this.getHttpServer().closeAllConnections(), LAST_ANSWERS_MS);
    try {
      await super.close();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sets what happens to a request whose path the router cannot decode. */
  refuseUnreadablePaths(refuse: (request: HttpRequest, reply: HttpReply) => void): void {
    this.refuse = refuse;
  }
}

/**
 * Configures everything about an HTTP server that is the same for each application. Call it before routes are registered.
 * @param probes routes that machines ask all the time
 */
export function configureServer(app: NestFastifyApplication, probes: readonly string[] = []): void {
  const config = app.get(AppConfig);
  const logger = app.get(AppLogger);
  const errors = app.get(ErrorAnswers);
  const adapter = app.getHttpAdapter() as unknown as HttpAdapter;
  const server = adapter.getInstance();
  const entry = new RequestEntry(logger, corsOf(config.get('CORS_ORIGINS')), new Set(probes));
  answerUnreadableRequests(server.server);
  limitConnections(server.server, config, logger);
  server.addHook('onRequest', (request, reply, done) => {
    if (entry.admits(request as HttpRequest, reply)) done();
  });
  adapter.refuseUnreadablePaths((request, reply) => {
    if (entry.admits(request, reply)) void errors.answer(new UnreadablePath(), request, reply);
  });
  app.get(Pipeline).attach(server);
}
