import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestMiddleware,
  type NestModule,
  Post,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import helmet from 'helmet';
import request from 'supertest';
import { BodyReader, Tenant, type HttpRequest } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import type { TestSession } from '../harness/index.js';
import { PLATFORMS } from '../support/platforms.js';
import { RawConnection } from '../support/raw-connection.js';
import { startTestApi, useApi } from '../support/test-api.js';

type Next = (error?: unknown) => void;

/** Takes requests with the header `team: answer`, and fails for `team: fail`. */
@Injectable()
class TeamMiddleware implements NestMiddleware {
  use({ headers }: IncomingMessage, response: ServerResponse, next: Next): void {
    response.setHeader('x-team', 'seen');
    if (headers['team'] === 'fail') throw new Error('The middleware of the team fails.');
    if (headers['team'] === 'refuse') throw new ForbiddenException('Not for you.');
    if (headers['team'] === 'answer') response.end('answered by the middleware');
    else next();
  }
}

/** As in the recipe of Nest for async local storage. */
const agents = new AsyncLocalStorage<string>();

/** What the guard of the team has seen: the caller, and no body. */
const seen: { tenant: unknown; body: unknown }[] = [];

@Injectable()
class TeamGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { tenant, body, headers } = context.switchToHttp().getRequest<HttpRequest>();
    seen.push({ tenant, body });
    return headers['team'] !== 'closed';
  }
}

function keepAgent({ headers }: IncomingMessage, _response: ServerResponse, next: Next): void {
  agents.run(headers['user-agent'] ?? '', () => next());
}

@Controller({ path: 'team', version: '1' })
class TeamController {
  @Get('agent')
  async readAgent(@Tenant() { environmentId }: TenantContext): Promise<unknown> {
    await new Promise((resolve) => setImmediate(resolve));
    return { environmentId, agent: agents.getStore() };
  }

  @Post('guarded')
  @UseGuards(TeamGuard)
  echo(@Body() body: Record<string, unknown>): unknown {
    return body;
  }

  @Get('file')
  readFile(): StreamableFile {
    return new StreamableFile(Readable.from([Buffer.from('of the team')]), { type: 'text/plain' });
  }
}

@Module({ controllers: [TeamController] })
class TeamModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(helmet({ referrerPolicy: { policy: 'same-origin' } }), keepAgent, TeamMiddleware)
      .forRoutes(TeamController);
  }
}

describe.each(PLATFORMS)('what a team adds by the manual of Nest, on $HTTP_PLATFORM', (platform) => {
  const api = useApi(() => startTestApi(platform, undefined, undefined, [TeamModule]));
  let session: TestSession;
  beforeAll(async () => {
    session = await api.session();
  });
  beforeEach(() => seen.splice(0));

  it('should be recognized by packages, which look at the name of the adapter', () => {
    const { name } = api.app.getHttpAdapter().constructor;
    expect(name).toBe({ fastify: 'FastifyAdapter', express: 'ExpressAdapter' }[platform.HTTP_PLATFORM]);
  });

  describe('middleware', () => {
    it('should give each request an async context', async () => {
      const read = (agent: string): request.Test => session.get('/v1/team/agent').set('User-Agent', agent);
      const answers = await Promise.all(['one', 'two', 'three'].map((agent) => read(agent).expect(200)));
      expect(answers.map(({ body }) => (body as { data: { agent: string } }).data.agent)).toEqual([
        'one',
        'two',
        'three',
      ]);
      expect(answers[0]?.headers).toMatchObject({ 'x-team': 'seen' });
    });

    it('should change headers, as helmet does', async () => {
      const { headers } = await session.get('/v1/team/agent').expect(200);
      expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'x-request-id': expect.any(String) });
    });

    it('should run for its routes only', async () => {
      const { headers } = await session.get('/v1/feeds').set('team', 'answer').expect(200);
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer' });
      expect(headers['x-team']).toBeUndefined();
    });

    it('should be able to answer, with the headers of every response', async () => {
      const { text, headers } = await session.get('/v1/team/agent').set('team', 'answer').expect(200);
      expect(text).toBe('answered by the middleware');
      expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
    });

    it.each([
      ['fail', 500, 'internal_error'],
      ['refuse', 403, 'forbidden'],
    ])('should get the one error body where it throws: %s', async (team, status, code) => {
      const { body, headers } = await session.get('/v1/team/agent').set('team', team).expect(status);
      expect(body).toMatchObject({ statusCode: status, code, path: '/v1/team/agent', message: expect.any(String) });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
      });
    });
  });

  describe('a route', () => {
    it.each(['get /v1/team/agent', 'post /v1/team/guarded'])('should need a key: %s', async (route) => {
      const [method, path] = route.split(' ') as ['get' | 'post', string];
      const { body } = await request(api.url)[method](path).expect(401);
      expect(body).toMatchObject({ code: 'unauthorized' });
      expect(seen).toEqual([]);
    });

    it('should send a file as it is', async () => {
      const { text, headers } = await session.get('/v1/team/file').expect(200);
      expect(text).toBe('of the team');
      expect(headers['content-type']).toMatch(/^text\/plain/);
    });
  });

  describe('a guard', () => {
    it('should know the caller, before the body is read', async () => {
      const { body } = await session.post('/v1/team/guarded', { a: 1 }).expect(201);
      expect(body).toEqual({ data: { a: 1 } });
      expect(seen).toEqual([{ tenant: expect.objectContaining({ environmentId: session.environmentId }) }]);
    });

    it('should refuse a request whose body has not come', async () => {
      const head = [
        'POST /v1/team/guarded HTTP/1.1',
        'Host: herald',
        `Authorization: ApiKey ${session.apiKey}`,
        'Content-Type: application/json',
        'Content-Length: 15000000',
        'team: closed',
      ];
      const connection = await new RawConnection(api.url).send(`${head.join('\r\n')}\r\n\r\n`).has('"path"');
      expect(connection.answer).toMatch(/^HTTP\/1.1 403 /);
      expect(api.app.get(BodyReader).budget.held).toBe(0);
      connection.hangUp();
    });
  });
});
