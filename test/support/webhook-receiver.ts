import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@herald/client';
import type { TestSession } from '../harness/index.js';
import {
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../libs/channels/test/recording-server.js';
import { dataOf, type Json } from './answers.js';

export interface Receiver {
  readonly server: RecordingServer;
  readonly webhook: Json & { _id: string; secret: string };
  /** Path of the webhook. */
  readonly path: string;
  bodies(): WebhookEvent[];
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

const bodyOf = ({ body }: RecordedRequest): WebhookEvent => JSON.parse(body.toString()) as WebhookEvent;

/** Whether a receiver accepts a request with this secret, at the time of the request: that of the clock that a test moves. */
export async function isAuthentic({ headers, body }: RecordedRequest, secret: string): Promise<boolean> {
  try {
    await verifyWebhook(headers, body, secret, { now: Number(headers['webhook-timestamp']) * 1_000 });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.code === 'signature_mismatch') return false;
    throw error;
  }
}
