import request from 'supertest';
import type { TestSession } from '#libs/testing';
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

/** The token of a new session of a subscriber. */
export async function openSession(
  server: Server,
  session: TestSession,
  subscriberId: string,
  more: Json = {},
): Promise<string> {
  const applicationIdentifier = await identifierOf(session);
  const call = initialize(server, { applicationIdentifier, subscriberId, ...more });
  return (await dataOf<{ token: string }>(call, 201)).token;
}
