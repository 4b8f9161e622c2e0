import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TestSession } from '#libs/testing';
import {
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../libs/channels/test/recording-server.js';
import { dataOf, type Json } from './answers.js';

/** The body of a delivery. */
export interface WebhookBody {
  id: string;
  type: string;
  createdAt: string;
  environmentId: string;
  data: { message: Json; response?: string };
}

export interface Receiver {
  readonly server: RecordingServer;
  readonly webhook: Json & { _id: string; secret: string };
  /** Path of the webhook. */
  readonly path: string;
  bodies(): WebhookBody[];
  deliveries(query?: string): Promise<Json[]>;
}

/** A server of a client, registered for events. */
export async function createReceiver(session: TestSession, events: string[], more: Json = {}): Promise<Receiver> {
  const server = await startRecordingServer();
  const body = { url: `${server.url}/hook`, events, ...more };
  const webhook = dataOf<Receiver['webhook']>(await session.post('/v1/webhooks', body).expect(201));
  const path = `/v1/webhooks/${webhook._id}`;
  return {
    server,
    webhook,
    path,
    bodies: () => server.requests.map(bodyOf),
    deliveries: async (query = '?limit=100') => dataOf(await session.get(`${path}/deliveries${query}`).expect(200)),
  };
}

const bodyOf = ({ body }: RecordedRequest): WebhookBody => JSON.parse(body.toString()) as WebhookBody;

/** As docs/webhooks.md tells receivers to do it. */
export function isAuthentic({ headers, body }: RecordedRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const given = String(headers['webhook-signature'])
    .split(' ')
    .map((text) => Buffer.from(text));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}
