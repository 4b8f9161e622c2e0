import type { ProviderCallback } from '../core/provider.js';
import { formBody, jsonBody } from './callback-events.js';
import { derPublicKey, ED25519_PREFIX, hmac, isRecent, sameText, secretOf, verifies } from './signature.js';

/** HMAC over timestamp and body; `callbackSecret` is the signing secret of the app. */
export const slackCallback: ProviderCallback = {
  verify: ({ headers, rawBody }, credentials) => {
    const secret = secretOf(credentials, 'callbackSecret');
    const signature = headers['x-slack-signature'];
    const timestamp = headers['x-slack-request-timestamp'];
    if (secret === undefined || signature === undefined || timestamp === undefined || !isRecent(timestamp))
      return false;
    const signed = Buffer.concat([Buffer.from(`v0:${timestamp}:`), rawBody]);
    return sameText(signature, `v0=${hmac('sha256', secret, signed, 'hex')}`);
  },
  // Slack reports nothing of messages that the app has sent.
  parse: (request) => {
    jsonBody({ rawBody: Buffer.from(formBody(request).get('payload') ?? '') });
    return [];
  },
};

/** Ed25519 over timestamp and body; `callbackSecret` is the public key of the application. */
export const discordCallback: ProviderCallback = {
  verify: ({ headers, rawBody }, credentials) => {
    const key = secretOf(credentials, 'callbackSecret');
    const signature = headers['x-signature-ed25519'];
    const timestamp = headers['x-signature-timestamp'];
    if (key === undefined || signature === undefined || timestamp === undefined || !isRecent(timestamp)) return false;
    const der = derPublicKey(Buffer.from(key, 'hex').toString('base64'), ED25519_PREFIX);
    return verifies(null, Buffer.concat([Buffer.from(timestamp), rawBody]), der, Buffer.from(signature, 'hex'));
  },
  // Discord reports nothing of messages that the application has sent.
  parse: (request) => {
    jsonBody(request);
    return [];
  },
};
