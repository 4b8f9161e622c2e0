import type { ProviderCallback } from '../core/provider.js';
import { textAt } from '../declarative/json-path.js';
import { formBody, jsonBody, readEvents } from './callback-events.js';
import { derPublicKey, ED25519_PREFIX, formSignature, isRecent, sameText, secretOf, verifies } from './signature.js';

/** Numbers that do not exist or cannot receive text. */
const DEAD_TWILIO = new Set(['30005', '30006']);

/**
 * HMAC over URL and form with the account's auth token, or with a shared key, which is `callbackSecret`. Twilio signs the URL with or
 * without its port.
 */
export const twilioCallback: ProviderCallback = {
  verify: (request, credentials) => {
    const settings = request.headers['x-twilio-webhooks-signature-settings'];
    const algorithm = twilioAlgorithm(settings);
    const key = secretOf(credentials, ...(settings === undefined ? ['token'] : ['callbackSecret', 'token']));
    const signature = request.headers['x-twilio-signature'];
    if (!key || !signature || !algorithm) return false;
    const form = formBody(request);
    return withAndWithoutPort(request.url).some((url) => sameText(formSignature(url, form, key, algorithm), signature));
  },
  parse: (request) =>
    readEvents([Object.fromEntries(formBody(request))], {
      id: 'MessageSid',
      kind: 'MessageStatus',
      kinds: {
        accepted: 'accepted',
        queued: 'queued',
        sending: 'sending',
        sent: 'sent',
        delivered: 'delivered',
        undelivered: 'undelivered',
        failed: 'failed',
      },
      recipient: ['To'],
      response: ['ErrorMessage', 'ErrorCode'],
      hardBounce: (event) => DEAD_TWILIO.has(textAt(event, 'ErrorCode') ?? ''),
    }),
};

/** @param settings such as `key=...,algorithm=HMAC_SHA256`; absent where the auth token signs */
function twilioAlgorithm(settings = ''): 'sha1' | 'sha256' | undefined {
  const [, name = 'HMAC_SHA1'] = /(?:^|,)algorithm=([^,]+)/.exec(settings) ?? [];
  if (name === 'HMAC_SHA1') return 'sha1';
  return name === 'HMAC_SHA256' ? 'sha256' : undefined;
}

/** The URL's own characters stay as they are: they are signed. */
function withAndWithoutPort(url: string): string[] {
  const [, start = '', port, rest = ''] = /^(https?:\/\/[^/?#]*?)(:\d+)?([/?#].*)?$/.exec(url) ?? [];
  const standard = start.startsWith('https:') ? ':443' : ':80';
  return [`${start}${rest}`, `${start}${port ?? standard}${rest}`];
}

/** Ed25519 over timestamp and body; `callbackSecret` is the account's public key. */
export const telnyxCallback: ProviderCallback = {
  verify: ({ headers, rawBody }, credentials) => {
    const key = secretOf(credentials, 'callbackSecret');
    const signature = headers['telnyx-signature-ed25519'];
    const timestamp = headers['telnyx-timestamp'];
    if (!key || !signature || !isRecent(timestamp)) return false;
    const signed = Buffer.concat([Buffer.from(`${timestamp}|`), rawBody]);
    return verifies(null, signed, derPublicKey(key, ED25519_PREFIX), Buffer.from(signature, 'base64'));
  },
  parse: (request) =>
    readEvents([jsonBody(request)], {
      id: 'data.payload.id',
      kind: 'data.payload.to.0.status',
      kinds: {
        queued: 'queued',
        sending: 'sending',
        sent: 'sent',
        delivered: 'delivered',
        sending_failed: 'failed',
        delivery_failed: 'undelivered',
      },
      at: ['data.occurred_at'],
      recipient: ['data.payload.to.0.phone_number'],
      response: ['data.payload.errors.0.detail', 'data.payload.errors.0.title'],
    }),
};
