import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import request, { type Test } from 'supertest';
import type { TestApi, TestSession } from '../harness/index.js';
import { dataOf, type Json } from './answers.js';

/** What a callback is sent with. */
export interface SignedCallback {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const hmac = (algorithm: string, key: string | Buffer, data: string, encoding: 'hex' | 'base64'): string =>
  createHmac(algorithm, key).update(data).digest(encoding);

const nowS = (): string => String(Math.floor(Date.now() / 1_000));
const JSON_TYPE = { 'content-type': 'application/json' };
const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Integrations whose providers report, with what their callbacks are signed with. */
export const CALLBACK_INTEGRATIONS = {
  sendgrid: {
    providerId: 'sendgrid',
    channel: 'email',
    credentials: {
      apiKey: 'k',
      from: 'a@b.example',
      senderName: 'A',
      callbackSecret: sendgridKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    },
  },
  mailgun: {
    providerId: 'mailgun',
    channel: 'email',
    credentials: {
      apiKey: 'k',
      user: 'api',
      domain: 'd.example',
      from: 'a@b.example',
      senderName: 'A',
      callbackSecret: 'mg-key',
    },
  },
  postmark: {
    providerId: 'postmark',
    channel: 'email',
    credentials: { apiKey: 'k', from: 'a@b.example', senderName: 'A', callbackSecret: 'user:pm-password' },
  },
  resend: {
    providerId: 'resend',
    channel: 'email',
    credentials: { apiKey: 'k', from: 'a@b.example', senderName: 'A', callbackSecret: 'whsec_c2VjcmV0LWtleQ==' },
  },
  ses: {
    providerId: 'ses',
    channel: 'email',
    credentials: {
      apiKey: 'k',
      secretKey: 's',
      region: 'eu-west-1',
      from: 'a@b.example',
      senderName: 'A',
      callbackSecret: 'arn:aws:sns:eu-west-1:1:events',
    },
  },
  twilio: {
    providerId: 'twilio',
    channel: 'sms',
    credentials: { accountSid: 'AC1', token: 'tw-token', from: '+15550100' },
  },
} as const;

/** How each provider signs a body, apart from what is signed together with the URL. */
export const SIGN = {
  sendgrid: (events: object[], timestamp = nowS()): SignedCallback => {
    const body = JSON.stringify(events);
    const signature = sign('sha256', Buffer.from(`${timestamp}${body}`), sendgridKeys.privateKey).toString('base64');
    return {
      body,
      headers: {
        ...JSON_TYPE,
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': signature,
      },
    };
  },
  mailgun: (event: object, timestamp = nowS(), key = 'mg-key'): SignedCallback => {
    const token = randomBytes(25).toString('hex');
    const signature = hmac('sha256', key, timestamp + token, 'hex');
    const body = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event });
    return { body, headers: JSON_TYPE };
  },
  postmark: (event: object): SignedCallback => ({
    body: JSON.stringify(event),
    headers: { ...JSON_TYPE, authorization: `Basic ${Buffer.from('user:pm-password').toString('base64')}` },
  }),
  resend: (event: object): SignedCallback => {
    const body = JSON.stringify(event);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = hmac('sha256', Buffer.from('c2VjcmV0LWtleQ==', 'base64'), `id.${timestamp}.${body}`, 'base64');
    return {
      body,
      headers: { ...JSON_TYPE, 'svix-id': 'id', 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` },
    };
  },
  twilio: (url: string, fields: Record<string, string>): SignedCallback => {
    const signed = Object.keys(fields)
      .sort()
      .map((name) => name + (fields[name] ?? ''))
      .join('');
    return {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': hmac('sha1', 'tw-token', url + signed, 'base64'),
      },
    };
  },
};

/** An active integration; `at` is the path of its callbacks. */
export async function createCallbackIntegration(
  session: TestSession,
  provider: keyof typeof CALLBACK_INTEGRATIONS,
  overrides: Json = {},
): Promise<{ id: string; at: string }> {
  const body = { ...CALLBACK_INTEGRATIONS[provider], active: true, ...overrides };
  const { _id: id } = dataOf<{ _id: string }>(await session.post('/v1/integrations', body).expect(201));
  return { id, at: `/v1/provider-callbacks/${id}` };
}

/** A provider has no key: only the signature speaks for it. */
export function sendCallback(api: TestApi, path: string, { body, headers }: SignedCallback): Test {
  return request(api.url).post(path).set(headers).send(body);
}
