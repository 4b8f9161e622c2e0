import { createHmac } from 'node:crypto';
import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from './answers.js';

/** A route for subscribers. */
export const BELL = '/v1/widgets/organization';

type Server = Readonly<{ url: string }>;

/** The public identifier of the environment. */
export async function identifierOf(session: TestSession): Promise<string> {
  return String((await dataOf(session.get('/v1/environments/me'), 200))['identifier']);
}

export function initialize({ url }: Server, body: Json): request.Test {
  return request(url).post('/v1/widgets/session/initialize').send(body);
}

/** The proof that the server of a client computes: the key of a test session is the oldest of its environment. */
export function hmacOf({ apiKey }: TestSession, subscriberId: string): string {
  return createHmac('sha256', apiKey).update(subscriberId).digest('hex');
}

/** Lets browsers open sessions without an HMAC, as pages under development do. */
export async function allowSessionsWithoutHmac(session: TestSession): Promise<void> {
  const integration = { channel: 'in_app', providerId: 'novu', active: true, credentials: { hmac: false } };
  await dataOf(session.post('/v1/integrations', integration), 201);
}

/** The token of a new session of a subscriber, opened with the HMAC unless it says otherwise. */
export async function openSession(
  server: Server,
  session: TestSession,
  subscriberId: string,
  more: Json = {},
): Promise<string> {
  const applicationIdentifier = await identifierOf(session);
  const hmacHash = hmacOf(session, subscriberId);
  const call = initialize(server, { applicationIdentifier, subscriberId, hmacHash, ...more });
  return (await dataOf<{ token: string }>(call, 201)).token;
}

/** Calls as a published client makes them: the session token, and a JSON content type on every request. */
export interface BrowserClient {
  get(path: string): request.Test;
  post(path: string, body?: Json): request.Test;
  patch(path: string, body?: Json): request.Test;
  delete(path: string, body?: Json): request.Test;
}

/** A browser client with a new session of a subscriber. */
export async function browserOf(server: Server, session: TestSession, subscriberId: string): Promise<BrowserClient> {
  return clientWith(server, await openSession(server, session, subscriberId));
}

export function clientWith({ url }: Server, token: string): BrowserClient {
  const as = (call: request.Test, body?: Json): request.Test =>
    call.set({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }).send(body);
  return {
    get: (path) => as(request(url).get(path)),
    post: (path, body) => as(request(url).post(path), body),
    patch: (path, body) => as(request(url).patch(path), body),
    delete: (path, body = {}) => as(request(url).delete(path), body),
  };
}
